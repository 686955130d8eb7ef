"""Noun phrases that stand for something not yet known, taken out of a question one by one, the innermost first.

"When was the director of the film that {0} produced born" becomes "Which film did {0} produce", "Who is the director of
{1}" and what is left, "When was {2} born". Each reduction must be sure of where its phrase ends; else it is not made.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from clew.questions.plan import Expected, Hop
from clew.questions.words import (
    ASKED_DIRECTLY,
    AUXILIARIES,
    BE,
    HAVE,
    KIN,
    PAST,
    PREPOSITIONS,
    QUESTION_WORDS,
    TERRITORIES,
    base,
    is_participle,
    leads_on,
    noun_class,
    singular,
)
from clew.text.names import FUNCTION_WORDS

MOST_ROUNDS = 8
"""Reductions of one question, at most; a longer chain is a riddle."""

_SLOT = r"(?P<slot>\{\d+\})"
_END = rf"{_SLOT}(?!['’])"
_WORD = r"[^\s{},?!;:()]+"
_NOUNS = rf"(?P<nouns>(?:{_WORD} ){{0,4}}?{_WORD})"
_IN = r"(?P<prep>by|in|on|at|from|for|with|after|to|as|near)"
_OWNER = re.compile(r"['’]s?\Z")
_BEGINNING = re.compile(r"^|(?<= )(?:(?=the |an? |its )|(?<=\bof ))", re.IGNORECASE)
_APPOSED = re.compile(rf"(?:\b(?:the|an?) (?:{_WORD} )?|\b(?P<prep>of|in|by) )(?P<noun>[a-z-]+) {_END}")
_TERRITORY = re.compile(rf"\bthe (?P<noun>[a-z]+ of) {_END}")
_OWNED = re.compile(rf"{_SLOT}['’]s? (?P<nouns>{_WORD}(?: {_WORD}){{0,4}})")
_OF = re.compile(rf"(?:(?:the|its) {_NOUNS}|(?P<bare>[a-z-]+)) of (?P<part>(?:the (?:{_WORD} ){{1,4}}?of )?){_END}")
_AT = re.compile(rf"the (?=(?:first|last|only|second|third|main|most|least|\w{{3,}}est) ){_NOUNS} {_IN} {_END}")
_DONE = re.compile(rf"(?:the|an?) {_NOUNS} (?:(?P<done>[a-z]+) {_IN}|(?P<doing>(?!dur)[a-z]{{3,}}ing)) {_END}")
_RELATIVE = re.compile(
    rf"(?:the|an?) {_NOUNS},? (?P<rel>(?:(?:in|on|at|from|to|by|for|of) )?(?:which|whom)|that|who|where|whose) "
    rf"(?P<clause>(?!.*\b(?:that|who|which|whom|where|whose|what)\b).*{_SLOT}.*)"
)
_SUBJECT = re.compile(rf"(?P<subject>(?:{_WORD} )*?{_SLOT}) (?P<verb>[a-z]+)(?P<rest>.*)")
_TRIVIAL = re.compile(
    rf"(?:(?:which|what) (?P<sort>.+?)|who|what|(?P<where>where|when)) (?:is|are|was|were) {_SLOT}", re.IGNORECASE
)
_BARE = re.compile(
    rf"(?i)(?:in [^,]+, )?(?:who|what|where|when|(?:in )?(?:which|what) (?P<sort>[a-z]+)) "
    rf"(?:is|are|was|were)(?: named)? {_SLOT}"
    r"(?P<adjunct>,? (?:in|on|at|by|from|for|to|of|with|near|after|before|between|during|as|where|that|who|which)\b.*)?"
)
_ARTICLE = re.compile(rf"\b(?P<article>[Tt]he) {_SLOT}")
_DETERMINERS = frozenset("the a an his her its their this these those".split())
_ORDERING = frozenset("first second third last most least only own early late".split())
_NO_NOUNS = (
    (FUNCTION_WORDS - _ORDERING) | AUXILIARIES | PREPOSITIONS | QUESTION_WORDS | {"born", "located", "died", "die"}
)


@dataclass(slots=True)
class Draft:
    """A question being taken apart: what is left of it, the hops so far, and the words before the name of a slot."""

    text: str
    slots: int
    apposed: dict[str, str]
    hops: list[Hop] = field(default_factory=list)

    def add(self, template: str, expects: Expected, head: str = "") -> str:
        """Append a hop; the slot that it fills, as it is written in a text."""
        template = " ".join(with_articles(template, self.apposed).split())
        self.hops.append(Hop(template[:1].upper() + template[1:], self.slots, expects, head))
        self.slots += 1
        return f"{{{self.slots - 1}}}"

    def replace(self, start: int, end: int, slot: str) -> None:
        """Put a slot where a phrase stood."""
        self.text = " ".join(f"{self.text[:start]} {slot}{self.text[end:]}".split())

    def named(self, slot: str) -> bool:
        """Whether a slot is a name of the question."""
        return int(slot[1:-1]) < self.slots - len(self.hops)


def without_articles(text: str) -> tuple[str, dict[str, str]]:
    """A masked question without the articles of its names, and these by slot."""
    return _ARTICLE.sub(r"\g<slot>", text), {match["slot"]: "the" for match in _ARTICLE.finditer(text)}


def with_articles(text: str, articles: Mapping[str, str]) -> str:
    """The text with what stands before the name in each slot put back."""
    for slot, words in articles.items():
        text = text.replace(slot, f"{words} {slot}")
    return text


def reduce(draft: Draft) -> None:
    """Take phrases out of the draft's text until none is left that is sure."""
    for _ in range(MOST_ROUNDS):
        _appose(draft)
        if not any(step(draft) for step in (_owned, _of, _done, _relative, _placed)):
            return


def finish(draft: Draft, expects: Expected, head: str) -> None:
    """Make what is left the last hop, unless it asks no more than who or what the last hop's value is."""
    whole = _TRIVIAL.fullmatch(draft.text)
    last = draft.hops[-1]
    if whole and whole["slot"] == f"{{{last.target}}}":
        fits = not whole["where"] or last.expects in ("place", "date", "year")
        if whole["sort"]:
            fits = head == last.head or noun_class(head) == last.expects != "any"
        if fits:
            sort = expects if last.expects == "any" else last.expects
            draft.hops[-1] = Hop(last.template, last.target, sort, last.head or head)
            return
    draft.add(draft.text, expects, head)


def phrase_hop(draft: Draft, nouns: str, slot: str, preposition: str = "of") -> str:
    """The hops for "the NOUNS of {slot}", of which a relative may need two; the slot of the last."""
    if nouns.lower() in KIN:
        for step in KIN[nouns.lower()]:
            slot = draft.add(f"Who is the {step} of {slot}", "person", step)
        return slot
    head = _head(nouns)
    expects = noun_class(head)
    if nouns.lower() in ASKED_DIRECTLY and preposition == "of":
        before, verb = ASKED_DIRECTLY[nouns.lower()]
        return draft.add(f"{before} {slot} {verb}", expects, head)
    asked = f"{'Who' if expects == 'person' else 'What'} {'is' if singular(head) == head else 'are'}"
    return draft.add(f"{asked} the {nouns} {preposition} {slot}", expects, head)


def _appose(draft: Draft) -> None:
    """Drop a noun that only says what a name is ("the film {0}"); it is kept for the hops that speak of the name."""
    while match := _APPOSED.search(draft.text):
        noun, slot = match["noun"], match["slot"]
        if not leads_on(noun):
            return
        if draft.named(slot):
            draft.apposed[slot] = f"the {singular(noun)}"
        draft.replace(match.start(), match.end(), f"{match['prep'] or ''} {slot}")


def _owned(draft: Draft) -> bool:
    """``{0}'s NOUNS``, of which the last may be the verb that an auxiliary before it waits for."""
    for match in _OWNED.finditer(draft.text):
        words = match["nouns"].lower().split()
        length = next((i for i, word in enumerate(words) if word in _NO_NOUNS), len(words))
        owner = next((i + 1 for i, word in enumerate(words[:length]) if _OWNER.search(word)), 0)
        follows = words[length] if length < len(words) else "of"
        if " ".join(words[:3]) in ASKED_DIRECTLY:
            length = 3
        elif owner:
            length = owner
        elif length and follows in PREPOSITIONS and _awaits(draft.text[: match.start()], words[length - 1]):
            length -= 1
        if length:
            nouns = _OWNER.sub("", " ".join(match["nouns"].split()[:length]))
            return _take(draft, match.start(), match.start("nouns") + len(nouns), nouns, match["slot"])
    return False


def _of(draft: Draft) -> bool:
    """``the NOUNS of {0}``; without an article only one noun right behind another *of*."""
    for match in _TERRITORY.finditer(draft.text):
        if match["noun"][:-3] in TERRITORIES and draft.named(match["slot"]):
            draft.apposed[match["slot"]] = f"the {match['noun']}"
            draft.replace(match.start(), match.end(), match["slot"])
            return True
    for match in _matches(_OF, draft.text):
        nouns = match["nouns"] or match["bare"]
        if match["bare"] and noun_class(nouns) != "person":
            continue
        if not _stands(draft.text, match):
            continue
        sure = _is_phrase(nouns) or nouns.lower() in ASKED_DIRECTLY or nouns.startswith("cause of ")
        if sure and _take(draft, match.start(), match.end(), nouns, match["part"] + match["slot"]):
            return True
    return False


def _placed(draft: Draft) -> bool:
    """``the highest NOUN in {0}``: a noun that a superlative makes one of its kind."""
    return any(
        _is_phrase(match["nouns"])
        and _take(draft, match.start(), match.end(), match["nouns"], match["slot"], match["prep"])
        for match in _matches(_AT, draft.text)
    )


def _take(draft: Draft, start: int, end: int, nouns: str, slot: str, preposition: str = "of") -> bool:
    """Replace a phrase by its hop, where what it names can be asked about further, or nothing else is asked."""
    whole = _TRIVIAL.fullmatch(_without(draft, start, end))
    last = whole is not None and not whole["sort"]
    single = leads_on(_head(nouns)) and singular(_head(nouns)) == _head(nouns) and _asks_more(draft, start, end)
    if nouns.lower() not in KIN and not (draft.hops if last else single):
        return False
    draft.replace(start, end, phrase_hop(draft, nouns, slot, preposition))
    return True


def _stands(text: str, match: re.Match[str]) -> bool:
    """Whether a phrase ends with its slot, and what stands behind it is no noun of which that is an adjective."""
    before, after = text[: match.start()], re.split(r"[ ,]+", text[match.end() :].strip(" "))
    if after[0] in AUXILIARIES | PREPOSITIONS | QUESTION_WORDS | {"", "and", "or", "that"} or _opens(before):
        return True
    clause = re.search(r"\b(?:that|which|where|who|whom)\b", before[2:]) is not None
    return clause or is_participle(after[0]) or after[0] in PAST or _awaits(before, after[-1])


def _asks_more(draft: Draft, start: int, end: int) -> bool:
    """Whether a question asks something of a phrase, and not only who or what that was at some time or place."""
    bare = _BARE.fullmatch(_without(draft, start, end))
    if bare is None:
        return True
    return bool(bare["sort"]) and not bare["adjunct"] and noun_class(bare["sort"]) not in ("date", "year")


def _without(draft: Draft, start: int, end: int) -> str:
    return " ".join(f"{draft.text[:start]} {{0}}{draft.text[end:]}".split())


def _done(draft: Draft) -> bool:
    """``the NOUNS VERB-ed by {0}``, ``the NOUNS VERB-ing {0}``."""
    for match in _matches(_DONE, draft.text):
        before, after = draft.text[: match.start()], draft.text[match.end() :].split()
        # Behind "were the streets" a participle is the question's own verb.
        own = _opening(before) in AUXILIARIES and not (after and _awaits(before, after[-1]))
        sure = not own and _stands(draft.text, match) and _asks_more(draft, match.start(), match.end())
        if not (sure and before and _is_phrase(match["nouns"]) and (match["doing"] or is_participle(match["done"]))):
            continue
        did = f"is {match['doing']}" if match["doing"] else f"was {match['done']} {match['prep']}"
        head = _head(match["nouns"])
        slot = draft.add(f"Which {match['nouns']} {did} {match['slot']}", noun_class(head), head)
        draft.replace(match.start(), match.end(), slot)
        return True
    return False


def _relative(draft: Draft) -> bool:
    """``the NOUNS that|who|where|whose CLAUSE``, the last such phrase of the question."""
    for match in _matches(_RELATIVE, draft.text):
        before, clause = draft.text[: match.start()], match["clause"].rstrip(" ,")
        begun = before.lower().split()
        # Where no question has begun, a "who" to come begins it.
        if not _is_phrase(match["nouns"]) or (QUESTION_WORDS.isdisjoint(begun) and AUXILIARIES.isdisjoint(begun[:1])):
            continue
        own = match["rel"] in ("who", "which", "that", "whose") and not clause.startswith("{")
        if own and match["rel"] != "whose" and clause.split()[0] in _DETERMINERS:
            continue
        end = _verb_end(before, clause) if own else _clause_end(before, clause)
        stop = match.start("clause") + end
        if not _asks_more(draft, match.start(), stop) and _without(draft, match.start(), stop)[-1:] != "}":
            continue
        head = _head(match["nouns"])
        if end and (asked := _asked(match["nouns"], match["rel"], clause[:end].rstrip(" ,"))):
            slot = draft.add(asked, noun_class(head), head)
            draft.replace(match.start(), stop, slot)
            return True
    return False


def _asked(nouns: str, relative: str, clause: str) -> str:
    """A relative clause as a question for its noun; empty where the clause has no verb that could be found."""
    which = "who" if _head(nouns) in ("person", "man", "woman", "one", "people") else f"which {nouns}"
    if relative == "whose":
        return f"which {nouns}'s {clause}"
    if relative in ("who", "that", "which") and not clause.startswith("{"):
        return f"{which} {clause}"
    match = _SUBJECT.match(clause)
    if match is None:
        return ""
    subject, verb, rest = match["subject"], match["verb"], match["rest"]
    place = "on" if _head(nouns) == "island" else "in"
    before = place if relative == "where" else relative.split()[0] if " " in relative else ""
    if verb in AUXILIARIES and not _possesses([verb, *rest.split()]):
        return f"{before} {which} {verb} {subject}{rest}"
    present = verb.endswith("s") and not verb.endswith("ss")
    if not (present or is_participle(verb) or verb in PAST):
        return ""
    return f"{before} {which} {'does' if present else 'did'} {subject} {base(verb)}{rest}"


def _clause_end(before: str, clause: str) -> int:
    """Where a clause ends whose subject stands in it, by its verbs; 0 where that is not sure."""
    match = _SUBJECT.match(clause)
    if match is None or match["verb"] in PREPOSITIONS:
        return 0
    words = [match["verb"], *match["rest"].split()]
    length = 1
    if _possesses(words):
        length = len(words)
    elif words[0] in AUXILIARIES:
        length = 3 if len(words) > 1 and words[1].endswith("ly") else 2
    rest = words[length:]
    more = next((i for i, word in enumerate(rest) if word in AUXILIARIES), len(rest))
    if rest and more == len(rest) and _awaits(before, rest[-1]):
        more -= 1
    if length > len(words) or (_opens(before) and not len(rest) - 1 == more < 2):
        return 0
    return match.end("subject") + len(" ".join(["", *words[: length + more]]))


def _verb_end(before: str, clause: str) -> int:
    """Where a clause ends that begins with its verb; 0 where that is not sure."""
    last = clause.rindex("}")
    if "," in clause[last:]:
        clause = clause[: clause.index(",", last)]
    after = clause[last + 1 :].split()
    if after and _awaits(before, after[-1]):
        known = len(after) == 1 or after[0] in PREPOSITIONS or is_participle(after[-1])
        return len(clause) - len(after[-1]) - 1 if known else 0
    sure = not _opens(before) and not (after and (after[-1] in PREPOSITIONS or after[0] in AUXILIARIES))
    return len(clause) if sure else 0


def _possesses(words: list[str]) -> bool:
    """Whether words begin with a form of *have* that is the verb itself, and helps no participle."""
    return len(words) > 1 and words[0] in HAVE and not is_participle(words[1])


def _opening(before: str) -> str:
    """The last word before a phrase, and before the phrases that it is nested in ("was the founder of")."""
    words = before.lower().split()
    while words[-1:] == ["of"] and "the" in words[-6:]:
        start = len(words) - 1 - words[::-1].index("the")
        if not _is_phrase(" ".join(words[start + 1 : -1])):
            break
        words = words[:start]
    return words[-1] if words else ""


def _opens(before: str) -> bool:
    """Whether an auxiliary right before a phrase waits for its verb behind it."""
    return _opening(before) in AUXILIARIES - BE - HAVE


def _awaits(before: str, word: str) -> bool:
    """Whether ``word`` at the end of a question is the verb of an auxiliary right before the phrase."""
    if word in PREPOSITIONS or not word.isalpha():
        return False
    return _opens(before) or (_opening(before) in BE | HAVE and is_participle(word))


def _matches(pattern: re.Pattern[str], text: str) -> Iterator[re.Match[str]]:
    """The matches from each place where a phrase may begin, the last first."""
    for start in reversed([match.start() for match in _BEGINNING.finditer(text)]):
        if match := pattern.match(text, start):
            yield match


def _is_phrase(nouns: str) -> bool:
    """Whether words may be the nouns of one phrase."""
    return bool(nouns) and _NO_NOUNS.isdisjoint(word.strip(",") for word in nouns.lower().split())


def _head(nouns: str) -> str:
    """The noun that says what a phrase is: *place* of "place of birth", *ship* of "survey ship"."""
    return nouns.lower().split(" of ")[0].split()[-1]
