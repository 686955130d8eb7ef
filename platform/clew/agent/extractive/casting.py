"""Who plays whom: an actor and a character are joined by a few words, whatever else a sentence says of either."""

from __future__ import annotations

import re
from functools import cache, lru_cache

from clew.agent.extractive.candidates import Candidate
from clew.agent.extractive.cast_list import entries
from clew.agent.extractive.lexicon import key, stem, vocabulary
from clew.text.names import FUNCTION_WORDS

_AS = (
    r",?(?:\s\([^()]*\))?\s(?:who\s)?(?:also\s)?(?:(?:stars?|starred|starring|appears?|appeared|cast)\sas|as|plays|played|playing|"
    r"portrays|portrayed|portraying|voices|voiced|voicing|(?:in|has)\sthe\srole\sof|"
    r"repris(?:es|ed|ing)\s(?:his|her|their)\s(?:[a-z]+\s)*roles?\s(?:as|of)|in\s(?:his|her)\s(?:[a-z]+\s){1,5}as)\s"
)
_ACTOR_FIRST = re.compile(_AS)
_NOMINATED = re.compile(r" (?:--|[–—]) [A-ZÀ-Þ][^.;]{0,50}? as ")
"""A work between an actor and the part, as in lists of who was nominated: "Ada Finch -- Harbour as Mira"."""
_ACTOR_LAST = re.compile(
    r"(?:\s\(|,?\s(?:is\s|was\s|who\sis\s|and\s)?\(?)(?:both\s|also\s)?(?:played|portrayed|voiced|performed)\s(?:[a-z]+\s){0,3}by\s(?:[a-z]+\s){0,2}$|\s\(\s?$"
)
_OPENING = re.compile(r"(?:Played|Portrayed|Voiced) by ")
_END = re.compile(r"[.,;()]|\sand\s(?=[A-ZÀ-Þ])|\swith\s")
_PLAYING = re.compile(
    r"\b(?:play|plays|played|portrays?|portrayed|voices?|voiced|actors?|actress|stars?|starred|cast)\b"
)
_PLAYED = re.compile(r"\b(?:plays?|played|playing|portray(?:s|ed|ing|al of)|voic(?:es|ed|ing)|roles? (?:of|as))\b")
_DEFINED = re.compile(
    r"(?: \([^()]*\))*,? (?:is|was) an? (?:[^.;]{0,60}? )?(?:actor|actress|comedian|comedienne|performer|entertainer)\b"
)
"""What makes the name that a sentence begins with that of an actor: "Ada Finch (born 1926) is a Norland actress"."""
_CHARACTER = re.compile(
    r"\bcharacter\b|\{\d+\} (?:plays?|played|portrays|portrayed|voices|voiced) (?:who|whom|what|which)\b|"
    r"\b(?:does|did|do|is|was) \{\d+\} (?:play|portray|voice|cast as)"
)
_WHO_PLAYED = re.compile(
    r"(?:who|person who|act(?:or|ress) (?:who|that)) (?:plays|played|portrays|portrayed|voices|voiced) "
)
_OF_WORK = re.compile(r"\b(?:in|on|from|(?:cast|members?|stars?) of)(?: the)?(?: \w+)? \{(\d+)\}")
_NO_ROLE = frozenset(
    map(
        stem,
        """play portray voice actor actress star starred starring act acted acting appear cast member film movie show
        series character person man woman""".split(),
    )
)


@lru_cache(maxsize=1024)
def asks_for(template: str) -> str:
    """What a sub-question about a cast wants: ``actor``, ``character``, or empty where it is about none."""
    text = template.lower()
    if not _PLAYING.search(text):
        return ""
    return "character" if _CHARACTER.search(text) and not _WHO_PLAYED.match(text) else "actor"


@lru_cache(maxsize=2048)
def role_words(template: str, names: tuple[tuple[int, str], ...]) -> frozenset[str]:
    """Stems of the words that name the character: all names but those of the work, and the question's other words."""
    works = {int(slot) for slot in _OF_WORK.findall(template)}
    words = [word for slot, name in names if slot not in works for word in re.findall(r"[^\W_]+", key(name))]
    words += re.findall(r"[^\W\d_]+", re.sub(r"\{\d+\}", " ", template).lower())
    return frozenset(stem(_SAME.get(w, w)) for w in words if w not in FUNCTION_WORDS and len(w) > 1) - _NO_ROLE


@lru_cache(maxsize=1024)
def role_alone(question: str) -> frozenset[str]:
    """Stems of the words that name the character in a question without names: those before *in*, *on* or *from*."""
    return role_words(_WORK.sub("", question), ()) if asks_for(question) == "actor" else frozenset()


_WORK = re.compile(r" (?:in|on|from) (?!.*\b(?:in|on|from) ).*$")
"""The work at the end of a question: "who played the keeper | in harbour lights"."""


def plays(text: str, c: Candidate, role: frozenset[str], titled: bool = False) -> float:
    """How surely the candidate is said to play ``role``: the share of its words that stand beside it, or −0.6 where the
    candidate is said to play somebody else, or to be somebody else who is played. ``titled``: the page is named after
    the role, so that "the title character" means it."""
    if not role:
        return 0.0
    if role & {stem(word) for word in re.findall(r"[^\W_]+", key(c.text))}:
        return -1.0  # the character itself
    defined = _DEFINED.match(text, c.end) if c.start == 0 < c.end else None
    if c.end == 0 or defined:  # a page about the actor
        begin = defined.end() if defined else 0
        told = [_share(part, role) for m in _PLAYED.finditer(text, begin) for part in _parts(text, m.end())]
        return (max(told) or ELSE) if told else 0.0
    listed = [part for start, end, part in entries(text) if (start, end) == (c.start, c.end)]
    if listed:
        return max(_share(part, role) for part in listed) or ELSE
    found = 0.0
    beside = False
    after = _ACTOR_FIRST.match(text, c.end) or _NOMINATED.match(text, c.end)
    if after:
        rest = text[after.end() : after.end() + 70]
        stop = _END.search(rest)
        found, beside = _told(rest[: stop.start() if stop else None], role, titled), True
    bracket = _BRACKET.match(text, c.end)
    if bracket:
        found = max(found, _told(bracket.group(1), role, titled))
        beside = beside or _NAMED.fullmatch(bracket.group(1)) is not None
    before = _ACTOR_LAST.search(text, 0, c.start)
    if before:
        phrase = _described(text[: before.start()])
        own = titled and (_TITLE_ROLE.search(phrase) or _OF_HERO.match(text[: before.start()]))
        found, beside = 1.0 if own else max(found, _share(" ".join(phrase.split()[-7:]), role)), True
    opening = _OPENING.fullmatch(text[: c.start]) and re.match(r",\s([^,.;]{2,40}?)\s(?:is|was)\b", text[c.end :])
    if opening:
        found, beside = max(found, _share(opening.group(1), role)), True
    beside = beside or _AS_PART.search(text, 0, c.start) is not None
    return found if found else ELSE if beside else 0.0


def named_after(title: str, role: frozenset[str]) -> bool:
    """Whether a page is named after the role, so that "the title character" of its sentences means it."""
    return not role.isdisjoint(map(stem, key(title).split()))


TOLD_ROLE = 0.5
"""Share of the words for a role that must stand beside an actor for it to count as told."""
ELSE = -0.6
"""What it counts that somebody is said to play another part, or to be one."""
_TITLE_ROLE = re.compile(r"\b(?:title|titular|eponymous) (?:[a-z]+ )?(?:characters?|roles?|parts?|heroe?s?|heroine)\b")
_OF_HERO = re.compile(
    r"(?:He|She|(?:The|This) (?:character|role|part))(?: [^A-ZÀ-Þ]*)?$|[^.;]*\bfictional character\b[^.;]*$"
)
"""What leads to an actor on the page of a character: "She is portrayed by", "… is a fictional character, played by"."""
_BRACKET = re.compile(r"\s\(\s?([^()]{2,40})\)")
_NAMED = re.compile(r"(?:(?:played|portrayed|voiced) by )?[A-ZÀ-Þ][\w’'-]+(?: (?:[A-ZÀ-Þ]\. )?[A-ZÀ-Þ][\w’'-]+)+")
_AS_PART = re.compile(rf"[A-ZÀ-Þ][\w’'.-]*{_AS}(?:[a-z]+ ){{0,3}}$")


def _told(part: str, role: frozenset[str], titled: bool) -> float:
    """How surely words beside an actor name the role: the title role where the page is ``titled`` so, else by share."""
    return 1.0 if titled and _TITLE_ROLE.search(part) else _share(part, role)


def played_by(text: str, c: Candidate, at: tuple[int, int] | None) -> float:
    """Whether the candidate is the character that the actor at ``at`` is said to play, 0 or 1."""
    if not at or not at[1]:
        return 0.0
    if c.end == 0:  # a page about the character
        return float(re.search(r"\b(?:portrayed|played|voiced) (?:\w+ ){0,3}by\b", text[: at[0]]) is not None)
    if at[1] <= c.start:
        joined = _ACTOR_FIRST.match(text, at[1])
        return float(
            joined is not None and re.fullmatch(r"(?:[\w.’'\-]+\s){0,3}", text[joined.end() : c.start]) is not None
        )
    joined = _ACTOR_LAST.search(text, c.end, at[0])
    return float(joined is not None and text[c.end : joined.start()].count(" ") < 3)


def _parts(text: str, start: int) -> list[str]:
    """The parts that an actor is said to have played: the words after the verb, and each of "A in X, B in Y"."""
    listed = _PARTS.split(_STOP.split(text[start:])[0])
    parts = [text[start : start + 60], *(_IN.split(piece)[0] for piece in listed if _IN.search(piece))]
    return [_RELATIVE_OF.split(part)[0] for part in parts]


_RELATIVE_OF = re.compile(
    r"(?:(?<=mother)|(?<=father)|(?<=brother)|(?<=sister)|(?<=son)|(?<=daughter)|(?<=wife)|(?<=friend)) of "
)
"""What makes a part that of somebody beside the one who is named: "as the mother of Mira"."""
_STOP = re.compile(r"(?<![A-ZÀ-Þ])\. (?=[A-ZÀ-Þ])")
_IN = re.compile(r" (?:in|on) ")
_PARTS = re.compile(r"\s?[,;]\s(?:and\s)?|\sand\s")


def _described(before: str) -> str:
    """What leads up to an actor in brackets: the character, and whose relative the words before its name say it is."""
    *_, phrase = pieces = re.split(r"[.;:()]|,\s(?=\S+$)", before)
    whose = len(pieces) > 1 and _WHOSE.search(pieces[-2])
    return f"{whose.group()} {phrase}" if whose else phrase


_WHOSE = re.compile(r"(?:\b(?:[Hh]is|[Hh]er|[Tt]heir)|['’]s) (?:[a-z-]+ ){0,2}[a-z-]+$")
KIN = 0.6
"""What it counts that somebody's relative is said to be one: in "Mira's wife" it is the wife who is sought."""
_SAME = {"mom": "mother", "mum": "mother", "dad": "father"}


@cache
def _relatives() -> frozenset[str]:
    return frozenset(map(stem, vocabulary("relatives")))


def _share(phrase: str, role: frozenset[str]) -> float:
    stems, kin = _stems(phrase), role & _relatives()
    if not kin:
        return len(stems & role) / len(role)
    others = role - kin
    told = len(stems & others) / len(others) if others else 1.0
    return KIN + (1 - KIN) * told if stems & kin else (1 - KIN) * told


def _stems(phrase: str) -> frozenset[str]:
    whole = _DOTTED.sub(lambda m: m.group().replace(".", ""), phrase)
    return frozenset(stem(_SAME.get(word, word)) for word in re.findall(r"[^\W_]+", key(whole)))


_DOTTED = re.compile(r"\b(?:[A-ZÀ-Þ]\.){3,}")
"""A name of initials: "M.I.R.A." is Mira."""
