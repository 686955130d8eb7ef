"""Noun phrases that stand for something not yet known, taken out of a question one by one, the innermost first.

"When was the director of the film that {0} produced born" becomes "Which film did {0} produce", "Who is the director of
{1}" and what is left, "When was {2} born". Each reduction must be sure of where its phrase ends; else it is not made.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from clew.questions import words
from clew.questions.plan import Expected, Hop
from clew.questions.words import AUXILIARIES, BE, HAVE, PREPOSITIONS, QUESTION_WORDS, is_participle, noun_class
from clew.text.names import FUNCTION_WORDS
from clew.text.verbs import PAST, base

MOST_ROUNDS = 8  # reductions of one question; a longer chain is a riddle

_SORTS = "|".join(sorted(words.THINGS | {f"{noun} of" for noun in words.TERRITORIES}, key=len, reverse=True))
# A slot with its article and the noun that only says what it is: "the film {0}".
_SLOT = rf"(?P<slot>(?:[Tt]he (?:(?:[\w-]+ )?(?:{_SORTS}) )?)?\{{\d+\}})"
_BARE_SORT = re.compile(rf"(?<=\b(?:of|in|by) )(?=(?:{_SORTS}) \{{)")
_WORD = r"[^\s{},?!;:()]+"
_NOUNS = rf"(?P<nouns>(?:{_WORD} ){{0,4}}?{_WORD})"
_BEGINNING = re.compile(r"^|(?<= )(?:(?=the |an? |its )|(?<=\bof ))", re.IGNORECASE)
_OWNED = re.compile(
    rf"{_SLOT}['’]s? (?:(?P<direct>{'|'.join(words.ASKED_DIRECTLY)})\b|(?=(?P<one>[\w-]+))(?P<two>[\w-]+ [\w-]+)?)"
)
_OF = re.compile(rf"(?:(?:the|its) {_NOUNS}|(?P<bare>[a-z-]+)) of {_SLOT}(?!['’])")
_RELATIVE = re.compile(
    rf"(?:the|an?) {_NOUNS}(?:,? (?P<rel>(?:(?:in|on|at|from|to|by|for|of) )?(?:which|whom)|that|who|where|whose) | "
    rf"(?=[a-z]+ by [^{{}},]*\{{))(?P<clause>(?!.*\b(?:that|who|which|whom|where|whose|what|how)\b)[^{{}}]*{_SLOT}.*)"
)
_SUBJECT = re.compile(rf"(?P<subject>(?:{_WORD} )*?{_SLOT}) (?P<verb>[a-z]+)(?P<rest>.*)")
_BARE = re.compile(  # a question that asks no more than who or what a slot is
    r"(?i)(?:(?:in|between|from|before|after|during) .*? )?(?:who|what|(?P<where>where|when)|"
    r"(?:in )?(?:which|what) (?P<sort>[a-z]+(?: [a-z]+){0,3}?)) (?:is|are|was|were)(?: named)? "
    rf"(?:the (?:first|last|full) name of )?{_SLOT}"
    r"(?P<adjunct>,? (?:in|on|at|by|from|for|to|of|with|near|after|before|between|during|as|where|that|who|which)\b.*)?"
)
_Phrase = tuple[int, int, str, str] | tuple[int, int, str, str, str]
"""Where a phrase stands, its nouns, and the slot that they belong to or the question that finds them."""
_ORDERING = frozenset("first second third last most least only own early late".split())
_NO_NOUNS = (FUNCTION_WORDS - _ORDERING) | AUXILIARIES | PREPOSITIONS | QUESTION_WORDS | {"name", "alias"}
_NO_VERBS = PREPOSITIONS | set("the a an his her its their this these those he she it they there i you we".split())


@dataclass(slots=True)
class Draft:
    """A question being taken apart: what is left of it, the next slot, and the hops so far."""

    text: str
    slots: int
    hops: list[Hop] = field(default_factory=list)

    def add(self, template: str, expects: Expected, head: str = "") -> str:
        """Append a hop; the slot that it fills, as it is written in a text."""
        template = " ".join(template.split())
        self.hops.append(Hop(template[:1].upper() + template[1:], self.slots, expects, head))
        self.slots += 1
        return f"{{{self.slots - 1}}}"

    def without(self, start: int, end: int, slot: str) -> str:
        """The text with a slot where a phrase stands."""
        return " ".join(f"{self.text[:start]} {slot}{self.text[end:]}".split())


def reduce(draft: Draft) -> None:
    """Take phrases out of the draft's text until none is left that is sure."""
    draft.text = _BARE_SORT.sub("the ", draft.text)
    for _ in range(MOST_ROUNDS):
        if not any(_take(draft, *phrase) for rule in (_owned, _of, _relative) for phrase in rule(draft.text)):
            return


def finish(draft: Draft, expects: Expected, head: str) -> None:
    """Make what is left the last hop, unless it asks no more than who or what the last hop's value is."""
    whole = _BARE.fullmatch(draft.text)
    last = draft.hops[-1].expects if draft.hops else ""
    same = whole and (not whole["sort"] or noun_class(whole["sort"].split()[-1]) == last != "any")
    if not (whole and last and same and not whole["adjunct"]) or (whole["where"] and last not in ("place", "date")):
        draft.add(draft.text, expects, head)


def phrase_hop(draft: Draft, nouns: str, slot: str) -> str:
    """The hops for "the NOUNS of {slot}", of which a relative may need two; the slot of the last."""
    if nouns.lower() in words.KIN:
        for step in words.KIN[nouns.lower()]:
            slot = draft.add(f"Who is the {step} of {slot}", "person", step)
        return slot
    expects = noun_class(_head(nouns))
    who = "Who" if expects == "person" else "What"
    before, behind = words.ASKED_DIRECTLY.get(nouns.lower(), [f"{who} is the {nouns} of", ""])
    return draft.add(f"{before} {slot} {behind}", expects, _head(nouns))


def _take(draft: Draft, start: int, end: int, nouns: str, slot: str, asked: str = "") -> bool:
    """Replace a phrase by its hop, where what it names can be asked about further, or nothing else is asked."""
    rest, head = draft.without(start, end, "{0}"), _head(nouns)
    bare = _BARE.fullmatch(rest)
    more = bare is None or (bare["sort"] and not bare["adjunct"] and noun_class(bare["sort"]) not in ("date", "year"))
    last = draft.hops and bare and not (bare["adjunct"] or bare["sort"])
    single = words.leads_on(head) and words.singular(head) == head
    if not (last or (more and single) or nouns.lower() in words.KIN or (asked and not (bare and bare["adjunct"]))):
        return False
    slot = draft.add(asked, noun_class(head), head) if asked else phrase_hop(draft, nouns, slot)
    draft.text = draft.without(start, end, slot)
    return True


def _owned(text: str) -> Iterator[_Phrase]:
    """``{0}'s NOUNS``: a noun of which more can be asked, with a word before it, and nothing behind it."""
    for match in _OWNED.finditer(text):
        for nouns in filter(None, (match["direct"], match["one"], match["two"])):
            end = match.start("direct" if match["direct"] else "one") + len(nouns)
            known = match["direct"] or (_is_phrase(nouns) and words.leads_on(_head(nouns)))
            if known and (text[end : end + 1] in ("'", "’") or _stands(text, match.start(), end)):
                yield match.start(), end, nouns, match["slot"]


def _of(text: str) -> Iterator[_Phrase]:
    """``the NOUNS of {0}``; without an article only one noun right behind another *of*."""
    for match in _matches(_OF, text):
        nouns = match["nouns"] or match["bare"]
        sure = _is_phrase(nouns) or nouns.lower() in words.ASKED_DIRECTLY
        fits = nouns not in words.TERRITORIES and (not match["bare"] or noun_class(nouns) == "person")
        if sure and fits and _stands(text, *match.span()):
            yield *match.span(), nouns, match["slot"]


def _relative(text: str) -> Iterator[_Phrase]:
    """``the NOUNS that|who|where|whose CLAUSE`` or ``the NOUNS VERB-ed by {0}``, the last of them first."""
    for match in _matches(_RELATIVE, text):
        begun, nouns, relative = text[: match.start()].lower().split(), match["nouns"], match["rel"] or ""
        # Where no question has begun, a "who" to come begins it.
        if not _is_phrase(nouns) or (QUESTION_WORDS.isdisjoint(begun) and AUXILIARIES.isdisjoint(begun[:1])):
            continue
        own = relative in ("who", "that", "which", "whose", "") and not match["clause"].startswith(("{", "the "))
        person = relative != "whose" and _head(nouns) in ("person", "man", "woman", "one")
        which = "who" if person else f"which {nouns}"
        which += {"whose": "'s", "": " was"}.get(relative, "")
        clause = _clause(begun, match["clause"].rstrip(" ,"), own)
        asked = f"{which} {clause}" if own else _inverted(which, relative, clause)
        # In "was the ship built by {0}" the participle is the question's own verb.
        done = clause.endswith("}") and is_participle(clause.split(" ")[0]) and words.leads_on(_head(nouns))
        own_verb = begun[-1] in AUXILIARIES and clause == match["clause"]
        if clause and asked and (relative or (done and not own_verb)):
            yield match.start(), match.start("clause") + len(clause), nouns, "", asked


def _clause(begun: list[str], clause: str, own: bool) -> str:
    """A relative clause without the verb behind it that the question's auxiliary waits for; empty if not sure.

    ``own`` says that the clause begins with its verb; in others, their verb is behind the slot.
    """
    at = max((i for i, word in enumerate(begun) if word in AUXILIARIES), default=len(begun))
    helps = not (BE | HAVE).isdisjoint(begun[at : at + 1])
    # Behind a preposition, the verb of "did" has been there: "did A play in the hall that …".
    waits = at < len(begun) and (helps or (PREPOSITIONS - {"of"}).isdisjoint(begun[at:]))
    after = clause[clause.rindex("}") + 1 :].split()
    least = 0 if own else 1 if AUXILIARIES.isdisjoint(after[:1]) else 2
    if len(after) < least or not AUXILIARIES.isdisjoint(after[least:]):
        return ""
    if own and ("," in clause or clause.split()[0] in _NO_VERBS):
        return ""
    if waits and len(after) > least and (is_participle(after[-1]) if helps else len(after) == least + 1):
        return clause[: -len(after[-1])].rstrip()
    return clause if helps or not waits else ""


def _inverted(which: str, relative: str, clause: str) -> str:
    """A clause about a subject of its own as a question; empty where it has no verb that could be found."""
    match = _SUBJECT.match(clause)
    if match is None:
        return ""
    subject, verb, rest = match["subject"], match["verb"], match["rest"]
    place = "on" if which.endswith(" island") else "in"
    before = place if relative == "where" else relative.split()[0] if " " in relative else ""
    if verb in AUXILIARIES:
        return f"{before} {which} {verb} {subject}{rest}"
    present = verb.endswith("s") and not verb.endswith("ss")
    if not (present or is_participle(verb) or verb in PAST):
        return ""
    return f"{before} {which} {'does' if present else 'did'} {subject} {base(verb)}{rest}"


def _stands(text: str, start: int, end: int) -> bool:
    """Whether a phrase is all that is meant: no noun stands behind it, nor what makes it a predicate before it."""
    before, after = text[:start].lower().split(), re.split(r"[ ,]+", text[end:].strip(" "))[0]
    if re.search(r"\b(?:become|became|served as)\Z", " ".join(before)):
        return False
    if after in AUXILIARIES | PREPOSITIONS | QUESTION_WORDS | {"", "that"} or is_participle(after) or after in PAST:
        return True
    return not (AUXILIARIES - BE - HAVE).isdisjoint(before) or not QUESTION_WORDS.isdisjoint(before[1:])


def _matches(pattern: re.Pattern[str], text: str) -> Iterator[re.Match[str]]:
    """The matches from each place where a phrase may begin, the last first."""
    for start in reversed([match.start() for match in _BEGINNING.finditer(text)]):
        if match := pattern.match(text, start):
            yield match


def _is_phrase(nouns: str) -> bool:
    """Whether words may be the nouns of one phrase."""
    parts = nouns.lower().replace(",", "").split()
    return bool(parts) and _NO_NOUNS.isdisjoint(parts) and not (is_participle(parts[-1]) or parts[-1] in PAST)


def _head(nouns: str) -> str:
    """The noun that says what a phrase is: *place* of "place of birth", *ship* of "survey ship"."""
    return nouns.lower().split(" of ")[0].split()[-1]
