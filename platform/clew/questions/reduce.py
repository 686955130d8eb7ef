"""Noun phrases that stand for something not yet known, taken out of a question one by one, the innermost first.

"When was the director of the film that {0} produced born" becomes "Which film did {0} produce", "Who is the director of
{1}" and what is left, "When was {2} born". Each reduction must be sure of where its phrase ends; else it is not made.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from clew.ingest.names import FUNCTION_WORDS
from clew.questions.plan import Expected, Hop
from clew.questions.words import (
    ASKED_DIRECTLY,
    AUXILIARIES,
    BE,
    DO,
    IRREGULAR,
    KIN,
    PREPOSITIONS,
    QUESTION_WORDS,
    TERRITORIES,
    base,
    is_participle,
    leads_on,
    noun_class,
    singular,
)

MOST_ROUNDS = 8
"""Reductions of one question, at most; a longer chain is a riddle."""

_SLOT = r"\{\d+\}"
_WORD = r"[^\s{},?!;:()]+"
_NOUNS = rf"(?:{_WORD} ){{0,4}}?{_WORD}"
_APPOSED = re.compile(rf"(?:\b(?P<det>the|a|an) (?:{_WORD} )?(?P<noun>[a-z-]+)|\b(?P<prep>of|in|by|from|for|to|on) (?P<bare>[a-z-]+)) (?P<slot>{_SLOT})")
_OWNED = re.compile(rf"(?P<slot>{_SLOT})(?:['’]s?) (?P<nouns>{_WORD}(?: {_WORD}){{0,4}})")
_OF = re.compile(rf"(?:\b(?:(?P<det>the|its) )(?P<nouns>{_NOUNS})|(?P<bare>(?<=\bof )[a-z-]+|(?<=^)[a-z-]+)) of (?P<part>(?:the {_NOUNS} of )?)(?P<slot>{_SLOT})")
_AT = re.compile(rf"\bthe (?P<nouns>{_NOUNS}) (?P<prep>in|on|at|of|from|near|by|to|for) (?P<slot>{_SLOT})")
_RELATIVE = re.compile(
    rf"\b(?:the|an?) (?P<nouns>{_NOUNS}),? (?P<rel>(?:(?:in|on|at|from|to|by|for|of) )?(?:which|whom)|that|who|where|whose) (?P<clause>.*{_SLOT}.*)"
)
_DONE_BY = re.compile(
    rf"\bthe (?P<nouns>{_NOUNS}) (?P<verb>[a-z]+) (?P<prep>by|in|on|at|from|for|with|after|to|as) (?P<slot>{_SLOT})"
)
_DOING = re.compile(rf"\b(?:the|an?) (?P<nouns>{_NOUNS}) (?P<verb>(?!dur|be|accord)[a-z]{{2,}}ing) (?P<slot>{_SLOT})")
_BEGINNING = re.compile(r"(?:^|(?<= ))(?:(?=the |an? |its )|(?<=\bof )|^)", re.IGNORECASE)
_ORDER = re.compile(r"(?:first|last|only|second|third|main|capital|most|least|\w{3,}est)\Z")
_TRIVIAL = re.compile(rf"(?:who|what|(?:which|what) (?P<sort>{_NOUNS})|(?P<place>where)|(?P<time>when)) (?:is|are|was|were) (?P<slot>{_SLOT})", re.I)
_TERRITORY = re.compile(rf"\bthe (?P<noun>[a-z]+) of (?P<slot>{_SLOT})")
_ARTICLE = re.compile(rf"\b([Tt]he) ({_SLOT})")
_NAME_OF = re.compile(rf"\bthe (?:full |original )?names? of (?=the |an? |{_SLOT})")


@dataclass(slots=True)
class Draft:
    """A question being taken apart: what is left of it, the hops so far, and the nouns apposed to names by slot."""

    text: str
    slots: int
    hops: list[Hop] = field(default_factory=list)
    apposed: dict[str, str] = field(default_factory=dict)

    def add(self, template: str, expects: Expected, head: str = "") -> str:
        """Append a hop; the slot that it fills, as it is written in a text."""
        template = with_articles(template, self.apposed)
        template = " ".join(template.split())
        self.hops.append(Hop(template[:1].upper() + template[1:], self.slots, expects, head))
        self.slots += 1
        return f"{{{self.slots - 1}}}"

    def replace(self, start: int, end: int, slot: str) -> None:
        """Put a slot where a phrase stood."""
        self.text = " ".join(f"{self.text[:start]} {slot}{self.text[end:]}".split())


def reduce(draft: Draft) -> None:
    """Take phrases out of the draft's text until none is left that is sure."""
    for _ in range(MOST_ROUNDS):
        _appose(draft)
        if not any(step(draft) for step in (_owned, _of, _done_by, _relative, _placed)):
            return


def finish(draft: Draft, expects: Expected, head: str) -> None:
    """Make what is left the last hop, unless it asks no more than who or what the last hop's value is."""
    whole = _TRIVIAL.fullmatch(draft.text)
    last = draft.hops[-1] if draft.hops else None
    if whole and last and whole["slot"] == f"{{{last.target}}}":
        fits = not (whole["place"] or whole["time"]) or last.expects in ("place", "date", "year")
        if whole["sort"]:
            fits = head == last.head or noun_class(head) == last.expects != "any"
        if fits:
            known = last.expects if last.expects != "any" else expects
            draft.hops[-1] = Hop(last.template, last.target, known, last.head or head)
            return
    draft.add(draft.text, expects, head)


def phrase_hop(draft: Draft, nouns: str, slot: str, preposition: str = "of") -> str:
    """The hops for "the NOUNS of {slot}", of which a relative may need two; the slot of the last."""
    folded = nouns.lower()
    if folded in KIN:
        for step in KIN[folded]:
            slot = draft.add(f"Who is the {step} of {slot}", "person", step)
        return slot
    head = _head(nouns)
    expects = noun_class(head)
    if folded in ASKED_DIRECTLY and preposition == "of":
        before, verb = ASKED_DIRECTLY[folded]
        return draft.add(f"{before} {slot} {verb}", expects, head)
    verb = "are" if singular(head) != head else "is"
    return draft.add(f"{'Who' if expects == 'person' else 'What'} {verb} the {nouns} {preposition} {slot}", expects, head)


def _appose(draft: Draft) -> None:
    """Drop a noun that only says what a name is ("the film {0}"); it is kept for the hops that speak of the name."""
    while match := _APPOSED.search(draft.text):
        noun, slot = match["noun"] or match["bare"], match["slot"]
        if noun in FUNCTION_WORDS | PREPOSITIONS or is_participle(noun) or noun.endswith("ing"):
            return
        hop = int(slot[1:-1]) >= draft.slots - len(draft.hops)
        if not hop:
            draft.apposed[slot] = f"the {singular(noun)}"
        before = f"{match['prep']} " if match["prep"] else ""
        draft.replace(match.start(), match.end(), before + slot)


def _owned(draft: Draft) -> bool:
    """``{0}'s NOUNS``."""
    for match in _OWNED.finditer(draft.text):
        words = match["nouns"].split()
        folded = [word.lower() for word in words]
        length = next((i for i, word in enumerate(folded) if _ends_nouns(word)), len(words))
        owner = next((i for i, word in enumerate(folded[:length]) if re.search(r"['’]s?\Z", word)), -1)
        if " ".join(folded[:3]) in ASKED_DIRECTLY:
            length = 3
        elif owner >= 0:
            length = owner + 1
        elif folded[length : length + 1] in ([], *([p] for p in PREPOSITIONS)) and _awaits_verb(
            draft.text[: match.start()], folded[length - 1]
        ):
            length -= 1
        if length < 1:
            continue
        nouns = re.sub(r"['’]s?\Z", "", " ".join(words[:length]))
        end = match.start("nouns") + len(nouns)
        return _take(draft, match.start(), end, nouns, match["slot"])
    return False


def _of(draft: Draft) -> bool:
    """``the NOUNS of {0}``; without an article only one noun right behind another *of*."""
    for match in _TERRITORY.finditer(draft.text):
        if match["noun"] in TERRITORIES and int(match["slot"][1:-1]) < draft.slots - len(draft.hops):
            draft.apposed[match["slot"]] = f"the {match['noun']} of"
            draft.replace(match.start(), match.end(), match["slot"])
            return True
    for match in _matches(_OF, draft.text):
        nouns, start = _nearest(match["nouns"] or match["bare"], match.start("nouns"), match)
        if nouns and _take(draft, start, match.end(), nouns, match["part"] + match["slot"]):
            return True
    return False


def _nearest(nouns: str, start: int, match: re.Match[str]) -> tuple[str, int]:
    """The phrase without what stands before its own article; nothing where it is no noun phrase."""
    if nouns.lower() not in ASKED_DIRECTLY and any(_ends_nouns(word.lower()) for word in nouns.split()):
        plain = re.fullmatch(rf"(?:{_WORD} )*(?:cause|place|date|head|chief) of [a-z]+", nouns)
        return (nouns, match.start()) if plain else ("", start)
    return nouns, match.start() if match["det"] else match.start("bare")


def _take(draft: Draft, start: int, end: int, nouns: str, slot: str, preposition: str = "of") -> bool:
    """Replace a phrase by its hop, where what it names can be asked about further, or nothing else is asked."""
    rest = f"{draft.text[:start]} {{0}}{draft.text[end:]}".split()
    whole = _TRIVIAL.fullmatch(" ".join(rest))
    last = whole is not None and not whole["sort"]
    if not (last or nouns.lower() in KIN or leads_on(_head(nouns))) or (last and not draft.hops and nouns.lower() not in KIN):
        return False
    draft.replace(start, end, phrase_hop(draft, nouns, slot, preposition))
    return True


def _matches(pattern: re.Pattern[str], text: str) -> Iterator[re.Match[str]]:
    """The matches from each place where a phrase may begin, the last first."""
    for start in reversed([match.start() for match in _BEGINNING.finditer(text)]):
        if match := pattern.match(text, start):
            yield match


def _relative(draft: Draft) -> bool:
    """``the NOUNS that|who|where|whose CLAUSE``, the last such phrase of the question."""
    for match in _matches(_RELATIVE, draft.text):
        start = match.start()
        if any(_ends_nouns(word.lower()) for word in match["nouns"].split()):
            continue
        if not _asks(draft.text[:start]):
            continue
        head, relative, clause = match["nouns"], match["rel"], match["clause"].rstrip(" ,")
        if re.search(r"\b(?:that|who|which|whom|where|whose|what)\b", clause):
            continue
        end = _clause_end(draft.text[:start], clause, subject=relative in ("who", "which", "that", "whose"))
        asked = _asked(head, relative, clause[:end]) if end else ""
        if not asked or (start < 1 and end == len(clause)):
            continue
        slot = draft.add(asked.rstrip(" ,"), noun_class(_head(head)), _head(head))
        draft.replace(start, match.start("clause") + end, slot)
        return True
    return False


def _asks(before: str) -> bool:
    """Whether a question has begun, so that a *who* to come is a relative pronoun."""
    words = before.lower().split()
    return bool(words) and (words[0] in AUXILIARIES or not QUESTION_WORDS.isdisjoint(words))


def _asked(nouns: str, relative: str, clause: str) -> str:
    """A relative clause as a question for its noun; empty where the clause has no verb that could be found."""
    which = f"which {nouns}"
    person = _head(nouns) in ("person", "man", "woman", "one", "people")
    if relative == "whose":
        return f"Which {nouns}'s {clause}"
    subject = re.match(rf"(?P<subject>(?:{_WORD} )*?{_SLOT}) (?P<verb>[a-z]+)(?P<rest>.*)", clause)
    if relative in ("who", "that", "which") and not (subject and clause.startswith("{")):
        return f"Who {clause}" if person else f"Which {nouns} {clause}"
    if subject is None:
        return ""
    place = "on which" if _head(nouns) == "island" else "in which"
    before = place if relative == "where" else relative if " " in relative else ""
    lead = f"{before.split()[0]} {which}" if before else ("whom" if person else which)
    verb, rest = subject["verb"], subject["rest"]
    if not (verb in AUXILIARIES or is_participle(verb) or verb in IRREGULAR or verb.endswith("s")):
        return ""
    if verb in AUXILIARIES and not _possesses(verb, rest):
        return f"{lead[:1].upper()}{lead[1:]} {verb} {subject['subject']}{rest}"
    do = "does" if verb.endswith("s") and not verb.endswith("ss") else "did"
    return f"{lead[:1].upper()}{lead[1:]} {do} {subject['subject']} {base(verb)}{rest}"


def _possesses(verb: str, rest: str) -> bool:
    """Whether a form of *have* is the verb itself, and helps no participle."""
    return verb in ("has", "have", "had") and bool(rest.split()) and not is_participle(rest.split()[0])


def _clause_end(before: str, clause: str, subject: bool) -> int:
    """How many characters of what follows a relative pronoun belong to its clause; 0 where that is not sure."""
    slots = list(re.finditer(_SLOT, clause))
    after = clause[slots[-1].end() :].split()
    owns_subject = not subject or clause.startswith("{")
    if owns_subject:
        first = re.match(rf".*?{_SLOT}", clause)
        tail = clause[first.end() :].split() if first else []
        length = 0
        if len(tail) > 1 and _possesses(tail[0], " ".join(tail[1:])):
            length = len(tail)
        elif tail and tail[0] in AUXILIARIES:
            length = 2 if len(tail) > 1 and not tail[1].endswith("ly") else 3
        elif tail and re.fullmatch(r"[a-z]+", tail[0]) and tail[0] not in PREPOSITIONS:
            length = 1
        if not length or length > len(tail) or first is None:
            return 0
        rest = tail[length:]
        again = next((i for i, word in enumerate(rest) if word in AUXILIARIES), len(rest))
        if again == len(rest) and rest and _awaits_verb(before, rest[-1]):
            again -= 1
        if _opens(before) and (again != len(rest) - 1 or again > 1):
            return 0
        length += again
        return first.end() + len(" ".join(["", *tail[:length]]))
    awaits = _awaits_verb(before, after[-1] if after else "")
    if after and after[-1] in PREPOSITIONS:
        return 0
    if not after:
        return 0 if _opens(before) else len(clause)
    if awaits:
        return len(clause) - len(after[-1]) - 1
    return 0 if after[0] in AUXILIARIES or _opens(before) else len(clause)


def _opens(before: str) -> bool:
    """Whether the words before a phrase end with an auxiliary verb whose main verb must follow the phrase."""
    words = _opening(before)
    return bool(words) and words[-1] in DO


def _opening(before: str) -> list[str]:
    """The words before a phrase, without the phrases that it is nested in ("was the founder of")."""
    nested = re.compile(rf"(?:^|(?<= ))(?:the|an?) {_NOUNS} of $")
    before = f"{before.lower().rstrip()} "
    while match := nested.search(before):
        if any(_ends_nouns(word) for word in match.group().split()[1:-1]):
            break
        before = before[: match.start()]
    return before.split()


def _awaits_verb(before: str, word: str) -> bool:
    """Whether ``word`` at the end of a question is the verb of an auxiliary right before the phrase."""
    words = _opening(before)
    if not words or word in PREPOSITIONS or not word.isalpha():
        return False
    return words[-1] in DO or (words[-1] in BE | {"has", "had", "have"} and is_participle(word))


def _done_by(draft: Draft) -> bool:
    """``the NOUNS VERB-ed by {0}``, ``the NOUNS VERB-ing {0}``."""
    for pattern in (_DONE_BY, _DOING):
        for match in _matches(pattern, draft.text):
            nouns, verb = match["nouns"], match["verb"]
            if any(_ends_nouns(word.lower()) for word in nouns.split()):
                continue
            if pattern is _DONE_BY and not is_participle(verb):
                continue
            after = draft.text[match.end() :].split()
            if after and after[0] not in AUXILIARIES | PREPOSITIONS and not _awaits_verb(draft.text[: match.start()], after[-1]):
                continue
            if not re.search(r"\w", draft.text[: match.start()]):
                continue
            did = f"was {verb} {match['prep']}" if pattern is _DONE_BY else f"is {verb}"
            slot = draft.add(f"Which {nouns} {did} {match['slot']}", noun_class(_head(nouns)), _head(nouns))
            draft.replace(match.start(), match.end(), slot)
            return True
    return False


def _placed(draft: Draft) -> bool:
    """``the highest NOUN in {0}``: a noun that a superlative makes one of its kind."""
    for match in _matches(_AT, draft.text):
        words = match["nouns"].lower().split()
        if _ORDER.match(words[0]) and not any(_ends_nouns(word) for word in words if word not in ("most", "first", "only")):
            return _take(draft, match.start(), match.end(), match["nouns"], match["slot"], match["prep"])
    return False


def _ends_nouns(word: str) -> bool:
    """Whether a word cannot stand within the nouns of a phrase."""
    word = word.strip(",")
    ordering = word in ("first", "second", "third", "last", "most", "least", "only", "own", "early", "late", "same")
    return (word in FUNCTION_WORDS and not ordering) or word in AUXILIARIES | PREPOSITIONS | QUESTION_WORDS or word in (
        "born",
        "located",
        "died",
        "die",
    )


def _head(nouns: str) -> str:
    """The noun that says what a phrase is: *place* of "place of birth", *ship* of "survey ship"."""
    return nouns.lower().split(" of ")[0].split()[-1]


def transparent(text: str) -> str:
    """A question without "the name of" before what is asked."""
    return _NAME_OF.sub("", text)


def without_articles(text: str) -> tuple[str, dict[str, str]]:
    """A masked question without the articles of its names, and these by slot."""
    articles = {match[2]: match[1].lower() for match in _ARTICLE.finditer(text)}
    return _ARTICLE.sub(r"\2", text), articles


def with_articles(text: str, articles: Mapping[str, str]) -> str:
    """The text with what stands before the name in each slot put back."""
    for slot, words in articles.items():
        text = text.replace(slot, f"{words} {slot}")
    return text
