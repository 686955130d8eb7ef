"""What words between a candidate and whom a hop asks about say of their relation: its cues, both ways."""

from __future__ import annotations

import math
import re
from functools import lru_cache

from clew.agent.extractive.agents import of_whom_it_follows, suits, told_of
from clew.agent.extractive.between import after_aside, names_between, words_between
from clew.agent.extractive.candidates import Candidate
from clew.agent.extractive.lexicon import Relation, acts, country, in_lower, key, stem, vocabulary
from clew.agent.extractive.subject import Subject, find_name
from clew.agent.extractive.synonyms import told as tells
from clew.text.names import FUNCTION_WORDS

CUED = 0.1
"""How clearly a cue must lead to a value for it to count as told."""
LOOSE = 0.75
"""What a cue such as *in* counts against one that says what the relation is."""
OWNED = 0.8
"""How far a possessive says that a person made or leads what follows: "Avicenna's Canon of Medicine"."""
MAKERS = frozenset("performer author director composer maker".split())
"""Relations whose value the title of a work may name."""
_BRANDED = frozenset("developer publisher".split())
"""Relations whose value a product may have before its name: "Tarn Aerospace's Gull"."""
_POSSESSIVE = re.compile(r"(?:['’´`]s|(?<=s)['’]) (?:the |[a-z]+ )?[\"“]?")
_KIN = frozenset("father mother parent child son daughter sibling brother sister uncle grandchild grandfather".split())
"""Relations between people who often have a family name in common."""
COUPLE = frozenset("spouse husband wife".split())
"""Relations between the two of a couple."""
KINSHIP = _KIN | COUPLE | frozenset("grandmother aunt".split())
"""All relations between relatives."""


_OTHER_KIN = re.compile(
    r"(?:(?:son|daughter|father|mother|brother|sister|wife|husband|nephew|niece|uncle|aunt|cousin)s?(?: of)?,?|"
    r"\b(?:known as|born|née|né|or)) $"
)
_OWN_WORK = re.compile(
    r"(?:['’]s?) (?:[\w\-]+ ){0,4}(?:album|single|song|film|novel|book|play|opera|poem|ep|record|painting|symphony)\b"
)
"""What follows a maker's name where a page says whose work its subject is: "is Ada Finch's second album"."""
_ANOTHERS = re.compile(r"\b(?:on|from|of|in|to|with|for|by|after) (?:the )?(?:[a-z-]+ )*$")
"""What makes a work that follows another one than the page's: "based on | Ada Finch's novel"."""
_BY_OTHERS = re.compile(r"(?:\w{2,}ed|written|sung|made|held|led|seen|lyrics|words|music|score|screenplay|libretto) $")
"""What turns a bare *by* to another relation: "produced by" says nothing of the performer."""
_LIVED = frozenset(("grew up in", "raised in", "brought up in", "lived in", "retired to", "his home in", "her home in"))
"""What tells where somebody was for long, and only likely where they were born or died."""
_LOOSE = frozenset("in on at of from with and as near for under after through into".split())
"""Words that join almost anything."""
_FEMALE = re.compile(r"\b(?:daughter|wife|sister|mother|widow|queen|empress|niece|granddaughter)\b")
_MALE = re.compile(r"\b(?:son|husband|brother|father|widower|nephew|grandson)\b")


def related(
    relation: Relation,
    subject: Subject,
    text: str,
    c: Candidate,
    at: tuple[int, int] | None,
    about: float,
    *,
    gender: str,
    agent: bool,
    acting: bool = False,
    wanted: frozenset[str] = frozenset(),
) -> dict[str, float]:
    """The features *direct* and *inverse*, and *family* where nothing but a last name tells.

    ``at`` is where the text names the subject, ``about`` how surely its page is about it, ``gender`` that of the page,
    ``wanted`` are the stems of the question's own words.
    """
    direct = _direct(relation, text, c, at, about, gender, agent, wanted)
    inverse = _inverse(relation, text, c, at, about, acting)
    if relation.name in KINSHIP and at and _acts(text, *at):
        direct = inverse = 0.0
    if at and c.start > at[1] and _WHICH.fullmatch(text, at[1], c.start) and _leads(relation.inverse, text, c.end):
        inverse = 1.0  # "X, which Y wrote"
    if at and at[0] > c.end and _WHICH.fullmatch(text, c.end, at[0]) and _leads(relation.direct, text, at[1]):
        direct = 1.0  # "Y, which X wrote", where Y is sought
    told = relation.type in ("person", "organisation", "any") and (agent or relation.name) and (at or about > CLOSE)
    if told and direct < BY_AGENT:
        direct = max(direct, BY_AGENT * _done_by(relation, text, c))
    if told and about > CLOSE and relation.name not in KINSHIP:
        direct = max(direct, told_of(relation, text, c, wanted))
    if relation.name in _PARENTS and at and _SIBLING_OF.search(text, 0, at[0]):
        if _CHILD_OF.search(text, 0, c.start) is None:
            return {"direct": 0.0, "inverse": 0.0}
        direct = max(direct, TOLD_OF_SIBLING)
    owns = relation.type == "person" or relation.name in _BRANDED
    if owns and at and _POSSESSIVE.fullmatch(text[c.end : at[0]]):
        inverse = max(inverse, OWNED)
    if relation.name in _BRANDED and at and c.kind == "name" and text[c.end : at[0]] == " ":
        inverse = max(inverse, OWNED)  # "The Tarn Aerospace Gull is a glider"
    own = about > 0.9 and _OWN_WORK.match(text, c.end) and not _ANOTHERS.search(text, 0, c.start)
    if relation.name in MAKERS and (c.role == "byline" or own):
        direct = 1.0
    if relation.type == "date" and (at or about > CLOSE):
        direct = max(direct, _fronted(relation, text, c))
    if relation.name == "country" and c.role == "demonym" and about < 0.5:
        direct = 0.0  # whoever else the sentence speaks of is of that nationality
    if relation.name == "border" and at and _same_kind(subject, c):
        direct = max(direct, BESIDE * NEXT ** _apart(text, c, at))
    features = {"direct": direct, "inverse": inverse}
    kin = relation.name in _KIN and (at or about > 0.9) and _same_family(subject, c)
    if max(direct, inverse) < CUED and kin and not _of_other_kin(text, c):
        features["family"] = 1.0
    return features


def _acts(text: str, start: int, end: int) -> bool:
    """Whether a name is that of who plays the character before it, whose kin are not theirs: "Mira (Ada Finch)"."""
    return _ROLE.search(text, 0, start) is not None and text[end : end + 1] == ")"


_ROLE = re.compile(r"[A-ZÀ-Þ][\w’'.-]* \((?:(?:played|portrayed|voiced) by )?$")
TOLD_OF_SIBLING = 0.7
"""How far the parent of a brother or a sister is that of the subject."""
_PARENTS = frozenset("father mother parent".split())
_SIBLING_OF = re.compile(
    r"\b(?<!half-)(?:brother|sister|sibling|twin)s? (?:of|to) (?:the )?(?:[A-ZÀ-Þ][\w’'.-]* ){0,2}$"
)
_CHILD_OF = re.compile(
    r"\b(?:son|daughter|child)(?:ren|s)? (?:\([^()]*\) )?of (?:the )?(?:[\w-]+ )?(?:[A-ZÀ-Þ][\w’'.-]* ){0,2}$"
)
BY_AGENT = 0.9
"""How surely the name after *by* is that of who did what the participle before it says, however far that stands."""
CLOSE = 0.5
"""How surely a page has to be about the subject for its sentences to speak of it."""
_BY = re.compile(r"\bby (?:the )?((?:[\w-]+ ){0,5})$")
_CLAUSE = re.compile(r"[.;:()]|, (?:which|who|when|where|while|but) ")


@lru_cache(maxsize=32_768)
def _done_by(relation: Relation, text: str, c: Candidate) -> bool:
    """Whether the nearest participle before "by X" is the relation's: "published | from a house in Torp by X"."""
    by = _BY.search(text, 0, c.start)
    if by is None or relation.direct is None or not _plain(by.group(1)):
        return False
    clause = _CLAUSE.split(in_lower(text)[: by.start()])[-1]
    verbs = [word for word in re.findall(r"[a-z]+", clause) if acts(word)]
    return bool(verbs) and relation.direct.fullmatch(f"{verbs[-1]} by") is not None


def _plain(between: str) -> bool:
    """Whether only what somebody is stands between *by* and the name: "by | the northern pamphleteer X"."""
    words = between.split()
    return all((w.islower() and w not in FUNCTION_WORDS) or country(w.split("-")[-1]) for w in words)


_WHICH = re.compile(r",? (?:which|that|whom) ")
_HAD = re.compile(r" (?:(?:has|had|also|later|first|then|once) )*")


def _fronted(relation: Relation, text: str, c: Candidate) -> float:
    """How closely a cue follows a date that its clause begins with: "In 1599 the company was established"."""
    clause = _REST.match(text, c.end) if _FRONT.search(text, 0, c.start) else None
    found = relation.direct.search(in_lower(text), c.end, clause.end()) if clause and relation.direct else None
    return math.exp(-words_between(text, c.end, found.start()) / FAR) if found else 0.0


_FRONT = re.compile(r"(?:^|[;.] |, (?:and |but )?)(?:[Ii]n|[Oo]n|[Bb]y|[Dd]uring) (?:the )?$")
_REST = re.compile(r"(?:(?!\b(?:1\d|20)\d\d\b)[^;.])*")
"""The rest of a clause up to another year."""
FAR = 12
"""Words after which a date at the beginning of a clause belongs to it by a third only."""


def _leads(cue: re.Pattern[str] | None, text: str, end: int) -> bool:
    """Whether a cue follows right after a place, but for auxiliaries."""
    had = _HAD.match(text, end)
    return cue is not None and had is not None and cue.match(in_lower(text), had.end()) is not None


def _of_other_kin(text: str, c: Candidate) -> bool:
    """Whether the words beside a candidate say what other relative it is, or of whom it is one."""
    return _OTHER_KIN.search(text, 0, c.start) is not None


@lru_cache(maxsize=32_768)
def _direct(
    relation: Relation,
    text: str,
    c: Candidate,
    at: tuple[int, int] | None,
    about: float,
    gender: str,
    agent: bool,
    wanted: frozenset[str],
) -> float:
    """A cue before the candidate, decaying with the words and the names in between.

    Where the ``agent`` of a verb is sought, only its passive leads to the candidate.
    """
    if relation.direct is None:
        return 0.0
    best = 0.0
    lowered = in_lower(text)
    for match in relation.direct.finditer(lowered, 0, c.start):
        if _told_from_value(relation, lowered, match, at) or _of_other_gender(match.group(), gender):
            continue
        if at and at[0] < match.end() and match.start() < at[1]:
            continue  # a word of the subject's own name: the *river* of "the Orange River"
        inside = not relation.name or match.group() in vocabulary("place")
        if inside and match.start() and text[match.start()].isupper():
            continue  # a word of the question, or a kind of place, inside of a name
        end = match.end()
        if agent and not match.group().endswith((" by", " of")) and not _DOER.match(match.group()):
            dated = _DATED.match(lowered, end)
            if dated is None:
                continue  # "who won X": the winner stands before the verb
            end = dated.end()
        if relation.type == "person" and acts(match.group()) and _WHERE.match(lowered, end) and not agent:
            dated = _DATED.match(lowered, end)
            if dated is None:
                continue  # "founded in Torp": no founder follows
            end = dated.end()
        if relation.name not in KINSHIP and of_whom_it_follows(relation, text, match, at):
            continue
        if by_others(lowered, match) or (relation.name in KINSHIP and _NEVER.search(lowered, 0, match.start())):
            continue
        if only_described(text[end : c.start]):
            value = 1.0
        else:
            words = words_between(text, end, c.start)
            value = math.exp(-words / 5) * 0.6 ** names_between(text, end, c.start)
        value *= LOOSE if match.group() in _LOOSE or match.group() in _LIVED else suits(relation, match.group(), wanted)
        if _NEW_CLAUSE.search(text[match.end() : c.start]):
            value *= 0.5
        # "X married Y, daughter of Z": a name next to the cue, not X, may be whom the cue speaks of.
        owner = at[1] if at and at[1] <= match.start() else 0
        if owner and _NAME_BEFORE.search(text[owner : match.start()]):
            value *= 0.6
        if at and at[0] >= c.end and about < 0.5:
            value *= 0.4
        best = max(best, value)
    return best if at or about > (0.6 if relation.type == "person" else 0.5) else 0.3 * best


_NEW_CLAUSE = re.compile(r"[;]|\. [A-Z]")
_NAME_BEFORE = re.compile(r"[A-ZÀ-Þ][\w’'\-]+\s?(?:\([^()]*\))?,?\s(?:the\s|a\s)?$")


def by_others(lowered: str, cue: re.Match[str]) -> bool:
    """Whether a cue is a bare *by* that belongs to another verb: "written by" says nothing of the performer."""
    return cue.group() == "by" and _BY_OTHERS.search(lowered, 0, cue.start()) is not None


_NEVER = re.compile(r"\b(?:never|not) $")
_DOER = re.compile(r"[a-z]+[eo]rs?(?: (?:is|was))?$")
"""A noun for who does it: "the winner was X", "its founder X"."""
_WHERE = re.compile(r" (?:in|at|on|near|during|since|until|for|from)\b")
_DATED = re.compile(r"(?: in| on)?(?: [^\W\d_]+)?(?: \d{1,2}(?: [^\W\d_]+)?,?)? \d{4} by\b")
"""What may stand between a verb and its agent: "opened in May 1902 by"."""


def only_described(between: str) -> bool:
    """Whether the words before a name only say what its bearer is: "the son of | Croatian-American sculptor X"."""
    words = between.rstrip(", ").split()  # "the singer, X"
    last = words[-1].rstrip("s").split("-")[-1] if words else ""
    if len(words) > DESCRIBED or not (last in vocabulary("person", "nouns") or last in _MAKING):
        return False
    named = vocabulary("adjectives")
    plain = all(_LOWER.fullmatch(w) or w.lower() in named or country(w.split("-")[-1]) for w in words[:-1])
    return plain or all(_NAMED.fullmatch(w) for w in words[:-1])  # "album by | Tarn Street founder X"


_LOWER = re.compile(r"[^\W\d_A-ZÀ-Þ]+(?:-[^\W\d_A-ZÀ-Þ]+)*")
_NAMED = re.compile(r"[A-ZÀ-Þ][\w’'-]*")
_MAKING = frozenset("artist band duo trio group rapper star company studio".split())
DESCRIBED = 5
"""Words that may describe somebody before the name."""


BESIDE = 0.8
"""How far two areas of a kind that a sentence names together are taken for neighbours."""
NEXT = 0.6
"""What each name between them leaves of that."""


def _apart(text: str, c: Candidate, at: tuple[int, int]) -> int:
    """How many names stand between a candidate and the subject."""
    first, last = sorted([(c.start, c.end), at])
    return names_between(text, first[1], last[0])


def _same_kind(subject: Subject, c: Candidate) -> bool:
    """Whether subject and candidate carry the same kind of area in their names: two counties, two districts."""
    ours, theirs = subject.key.split()[-1:], key(c.text).split()[-1:]
    return ours == theirs and not c.inside and set(ours) <= vocabulary("containers")


def _same_family(subject: Subject, c: Candidate) -> bool:
    """Whether two people have the last name in common and not the first."""
    ours, theirs = subject.key.split(), key(c.text).split()
    if c.kind != "name" or not 1 < len(theirs) < 5 or theirs[0] in vocabulary("person", "titles"):
        return False
    return same_last_name(subject.key, c.text) and ours[0] != theirs[0]


def same_last_name(subject: str, name: str) -> bool:
    """Whether two names of several words end alike; ``subject`` is a key."""
    ours, theirs = subject.split(), key(name).split()
    return len(ours) > 1 and len(theirs) > 1 and ours[-1] == theirs[-1]


def _told_from_value(relation: Relation, lowered: str, match: re.Match[str], at: tuple[int, int] | None) -> bool:
    """Whether the cue is the inverse one: "the father of Z" leads to a child, unless Z is the subject itself."""
    inverse = relation.inverse
    longer = inverse.match(lowered, match.start()) if inverse else None
    if longer is None or longer.end() <= match.end():
        return False
    return not (at and 0 <= at[0] - match.end() <= 24)


def _of_other_gender(cue: str, gender: str) -> bool:
    """Whether a cue such as *daughter of* cannot be about the subject; only those with *of* tell whose gender it is."""
    if not gender or not cue.endswith(" of"):
        return False
    return bool((_FEMALE if gender == "m" else _MALE).search(cue))


@lru_cache(maxsize=32_768)
def _inverse(
    relation: Relation, text: str, c: Candidate, at: tuple[int, int] | None, about: float, acting: bool
) -> float:
    """A cue between the candidate and the subject: "Y directed X", or a page about Y that says so of X."""
    if relation.inverse is None or not (at or about > 0.9) or (about > 0.9 and c.kind != "number"):
        return 0.0
    best = 0.0
    lowered = in_lower(text)
    for match in relation.inverse.finditer(lowered):
        longer = relation.direct.match(lowered, match.start()) if relation.direct else None
        if longer and longer.end() > match.end() and not lowered[match.end() : longer.end()].isspace():
            continue  # "Y, son of X" tells whose father X is
        if c.kind == "number" and 0 <= match.start() - c.end <= 2:
            return 1.0
        if not at or match.start() < c.end or match.end() > at[0] + 1:
            continue
        if acting and not match.group().endswith(" by"):
            continue  # "Y beat X", where it is asked whom X beat
        near = math.exp(-words_between(text, match.end(), at[0]) / 5)
        start = after_aside(text, c.end, match.start())
        lead = 1.0 if c.start == 0 else math.exp(-words_between(text, start, match.start()) / 8)
        names = names_between(text, start, match.start())
        best = max(best, near * lead * 0.6**names)
    return best


def beside(other: Subject, text: str, c: Candidate) -> float:
    """How close the candidate stands to another name of the question."""
    at = find_name(other.name, text)
    if at is None or country(other.name):
        return 0.0
    first, last = sorted([at, (c.start, c.end)])
    apart = re.search(r"[,;] | and ", text[first[1] : last[0]]) is not None
    return math.exp(-words_between(text, first[1], last[0]) / 5) * (0.6 if apart else 1.0)


@lru_cache(maxsize=32_768)
def near(wanted: frozenset[str], text: str, c: Candidate) -> float:
    """How close the sub-question's own words stand to the candidate."""
    best = 0.0
    for said, start, end in _said(wanted, text):
        if not c.start <= start < c.end:
            gap = words_between(text, end, c.start) if end <= c.start else words_between(text, c.end, start)
            best = max(best, said * math.exp(-gap / 6))
    return best


@lru_cache(maxsize=4096)
def _said(wanted: frozenset[str], text: str) -> tuple[tuple[float, int, int], ...]:
    """Where a text has what is wanted, each word with how surely it tells it."""
    words = ((tells(stem(match.group()), wanted), *match.span()) for match in _WORD.finditer(text))
    return tuple((said[1], start, end) for said, start, end in words if said)


_WORD = re.compile(r"[^\W\d_]+")
