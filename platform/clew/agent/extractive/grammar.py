"""Takes a question apart into hops: the innermost relation first, each hop answered before the one around it.

Names are slots, and so is each hop's answer; a slot that a hop fills is a bridge. What remains when every phrase is
reduced is the outer question.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from clew.agent.extractive.anchors import Anchor, Token, tokens
from clew.agent.extractive.answer_types import answer_type
from clew.agent.extractive.lexicon import country, head_types, vocabulary
from clew.agent.extractive.phrases import ROUNDS, reduce
from clew.agent.extractive.plan import DEFINITION, MANNER, MEANING, YES_NO, Draft, Item, Plan, lower, sentence
from clew.agent.extractive.remainder import ask_last, led_in_to
from clew.agent.extractive.sentences import as_one
from clew.agent.extractive.statements import as_asked, noun_last, split
from clew.agent.extractive.word_classes import (
    AUXILIARY,
    INVERTING,
    PARTS,
    PASSIVE,
    PREPOSITION,
    QUESTION,
    RELATIVE,
    STOP,
    ends_phrase,
    verb_form,
    verbs,
)
from clew.text.names import FUNCTION_WORDS

_FIXED = tuple(
    phrase.split()
    for phrase in """place of birth|place of death|date of birth|date of death|cause of death|country of origin
    country of citizenship|place of burial|city of birth|town of birth|country of birth|year of birth|year of death
    body of water|head of state|head of government|member of parliament|place of work|place of residence
    date of founding|father in law|mother in law|son in law|daughter in law|brother in law|sister in law
    take place|takes place|took place|taken place|come to an end|came to an end""".replace("\n", "|").split("|")
)
_PLACES = frozenset("city town village state county island province kingdom republic district".split())
_DEFINING = frozenset("who what is was are were the a an tell me about describe explain does mean define".split())
_NAMED = ["is", "the", "name", "of", "the"]
_LIFE = frozenset("place city town country date year cause".split())
_LEADING = frozenset("in at on during since before after under until by".split())
_CLOSING = (["'"], ["’"])
_FROM = frozenset("from with into for about against to".split())
AFTER_COPULA = 2
"""Where the noun phrase begins that is all that a question asks for: after "what is"."""


def prepare(question: str, found: Sequence[Anchor]) -> tuple[list[str], Draft]:
    """The question's names, and its words with slots in their place, given the names that were found in it."""
    words = tokens(question)
    anchors = _names_with_noun(words, found, question)
    items = _possessed(_fix_phrases(_plainer(as_one(_with_slots(words, anchors)))), anchors)
    lead, items = _led_in(items)
    draft = Draft(items, len(anchors), lead=lead)
    _drop_apposed(draft)
    return [anchor.name for anchor in anchors], draft


def chain(question: str, names: list[str], draft: Draft) -> Plan:
    """The plan of a question that asks for one value: hops, innermost first."""
    _take_apart(draft)
    if draft.lead and draft.hops:
        last = draft.hops[-1]
        draft.hops[-1] = replace(last, template=f"{last.template} {draft.lead}")
    return Plan(question, tuple(names), tuple(draft.hops), draft.hints)


def _take_apart(draft: Draft) -> None:
    """Make the items hops: first what a statement's own clause is about, where the question word stands in it."""
    draft.items = noun_last(draft.items)
    while (parts := split(draft.items)) is not None:
        if parts.inner:
            known = len(draft.hops)
            draft.items = parts.inner
            _take_apart(draft)
            if len(draft.hops) == known:
                break
            parts.outer[parts.at] = draft.hops[-1].target
        draft.items = parts.outer
    draft.items = as_asked(draft.items)
    for _ in range(ROUNDS if not _clause_kind(draft.items) else 0):
        if not reduce(draft):
            break
    draft.items = as_asked(draft.items)
    if not (_clause_sought(draft) or _statement(draft) or _definition(draft)):
        ask_last(draft)


def _led_in(items: list[Item]) -> tuple[str, list[Item]]:
    """The words before a question that say when or where, without any name, and the rest: "in 1750, who was …"."""
    comma = led_in_to(items, _LEADING)
    plain = all(isinstance(item, str) and item.lower() not in QUESTION | RELATIVE for item in items[:comma])
    if not comma or not plain:
        return "", items
    return " ".join(lower(items, i) for i in range(comma)), items[comma + 1 :]


def _with_slots(words: list[Token], anchors: list[Anchor]) -> list[Item]:
    items: list[Item] = []
    starts = {anchor.first: (n, anchor) for n, anchor in enumerate(anchors)}
    quotes = {a.first - 1 for a in anchors if a.first and words[a.first - 1].text in "'‘’"}
    quotes |= {a.last for a in anchors if a.first - 1 in quotes and [w.text for w in words[a.last :][:1]] in _CLOSING}
    i = 0
    while i < len(words):
        if i in starts:
            number, anchor = starts[i]
            items.append(number)
            i = anchor.last
        else:
            if words[i].text not in '"“”«»' and i not in quotes:
                items.append(words[i].text)
            i += 1
    while items and isinstance(items[-1], str) and items[-1] in "?.! ":
        items.pop()
    return items


def _plainer(items: list[Item]) -> list[Item]:
    """The items in plainer order: without commas before clauses that say which thing is meant ("the county, that
    contains X"), without *the name of* before what is asked for, *bordering* for "sharing a border with", and "the
    place of X's birth" as the birthplace of X.
    """
    if [lower(items, i) for i in range(1, 6)] in (_NAMED, ["was", *_NAMED[1:]]):
        items = [*items[:2], *items[5:]]
    for i in range(1, len(items) - 2):
        misspelt = lower(items, i) == "were" and lower(items, i - 1) in _PLACES and isinstance(items[i + 1], int)
        if misspelt and (verb_form(lower(items, i + 2)) or lower(items, i + 2) in ("'s", "’s")):
            items = [*items[:i], "where", *items[i + 1 :]]
    for i in range(len(items) - 3):
        if [lower(items, j) for j in range(i, i + 4)] == ["sharing", "a", "border", "with"]:
            items = [*items[:i], "bordering", *items[i + 4 :]]
    for i in range(len(items) - 4):
        event = lower(items, i + 4)
        of_life = lower(items, i) in _LIFE and lower(items, i + 1) == "of" and event in ("birth", "death", "burial")
        if of_life and isinstance(items[i + 2], int) and items[i + 3] in ("'s", "’s"):
            items = [*items[:i], f"{lower(items, i)}_of_{event}", "of", items[i + 2], *items[i + 5 :]]
            break
    return [
        x
        for i, x in enumerate(items)
        if not (x == "," and lower(items, i + 1) in RELATIVE and lower(items, i - 1).isalpha())
    ]


def _fix_phrases(items: list[Item]) -> list[Item]:
    """Make *place of birth* and its like one word, so that their *of* starts no phrase."""
    result: list[Item] = []
    i = 0
    while i < len(items):
        for phrase in _FIXED:
            if lower(items, i) == phrase[0] and [lower(items, j) for j in range(i, i + len(phrase))] == phrase:
                result.append("_".join(phrase))
                i += len(phrase)
                break
        else:
            result.append(items[i])
            i += 1
    return result


def _names_with_noun(words: list[Token], anchors: Sequence[Anchor], question: str) -> list[Anchor]:
    """Names that a lower-case noun completes: the *drive* of "the inventor of the Voß drive". After an auxiliary
    ("did X open") and before nothing but the end, the word may as well be the verb, so it stays one."""
    result = []
    inverted = any(w.text.lower() in INVERTING for w in words) or any(w.text.lower() in PASSIVE for w in words[:1])
    for anchor in anchors:
        before = words[anchor.first - 1].text.lower() if anchor.first else ""
        if before in ("the", "a", "an") and anchor.first > 1:
            before = words[anchor.first - 2].text.lower()
        following = [w.text.lower() for w in words[anchor.last : anchor.last + 2] if w.text != "?"]
        noun = following[0] if following else ""
        fits = (
            noun.isalpha()
            and len(noun) > 2
            and noun not in vocabulary("owned")
            and noun not in STOP | verbs() | FUNCTION_WORDS | PARTS
            and not noun.endswith(("ed", "ing", "s"))
            and answer_type([noun], None)[0] not in ("person", "agent")
            and before not in AUXILIARY | RELATIVE
            and not (inverted and (len(following) == 1 or following[1] in _FROM))
            and not (len(following) == 1 and noun in vocabulary("participles"))
            and before not in head_types()
            and (len(following) == 1 or following[1] in STOP | verbs() or following[1].endswith("ed"))
        )
        if fits:
            end = words[anchor.last].end
            anchor = Anchor(question[words[anchor.first].start : end], anchor.first, anchor.last + 1)
        result.append(anchor)
    return result


def _possessed(items: list[Item], anchors: list[Anchor]) -> list[Item]:
    """Read *the X singer*, *the X birthplace* and *X father* as *X's singer*; a nationality before a noun owns
    nothing."""
    result: list[Item] = []
    for i, item in enumerate(items):
        result.append(item)
        following = {lower(items, i + 1), f"{lower(items, i + 1)} {lower(items, i + 2)}"}
        the = isinstance(item, int) and (lower(items, i - 1) == "the" or anchors[item].name.startswith("The "))
        relative = lower(items, i + 1) in vocabulary("relatives") and (i + 2 == len(items) or lower(items, 0) == "who")
        relative = relative and (lower(items, i - 1) != "of" or lower(items, i - 2) == "name")
        owned = relative or (the and following & vocabulary("owned"))
        if owned and isinstance(item, int) and country(anchors[item].name) is None:
            result.append("'s")
    return result


def _drop_apposed(draft: Draft) -> None:
    """Drop the type noun before a name (*film X*, *the village of X*), and keep it as a hint which page is meant."""
    nouns = vocabulary("apposed", "nouns")
    items = draft.items
    for i in range(len(items) - 4, -1, -1):
        slot, noun = items[i + 3] if i + 3 < len(items) else "", lower(items, i + 1)
        whole = lower(items, 0) == "what" and i == AFTER_COPULA and len(items) == i + 4  # "what is the county of X"
        if (
            not whole
            and isinstance(slot, int)
            and noun in _PLACES
            and (lower(items, i), lower(items, i + 2)) == ("the", "of")
        ):
            draft.hints[slot] = noun
            del items[i : i + 3]
    for i in range(len(items) - 1, 2, -1):
        naming = [lower(items, i - 1)] if lower(items, i - 1) != "as" else [lower(items, i - 2), "as"]
        at = i - len(naming) - 1
        called = isinstance(items[i], int) and naming in (["called"], ["named"], ["known", "as"])
        if called and at > 0 and lower(items, at - 1) == "the" and isinstance(items[at], str):
            del items[at - 1 : i]
            break
    for i in range(len(items) - 1, 1, -1):
        if i >= len(items):
            continue  # a name moved down when the noun before it went
        start = i
        while isinstance(items[i], int) and lower(items, start - 1).isalpha() and not ends_phrase(items, start - 1):
            start -= 1
        noun = lower(items, i - 1)
        after = lower(items, start - 1) in PREPOSITION | RELATIVE
        if start and after and 0 < i - start < 4 and noun not in nouns and answer_type([noun], None)[0] == "person":
            del items[start:i]
    i = 0
    while i < len(items) - 1:
        word, following = items[i], items[i + 1]
        comma = following in (",", ":") and i + 2 < len(items) and isinstance(items[i + 2], int)
        comma = comma and "or" not in (lower(items, i + 3), lower(items, i + 4))  # "which is a comedy film, X or Y"
        if isinstance(word, str) and word.lower() in nouns and (isinstance(following, int) or comma):
            slot = items[i + 2] if comma else following
            assert isinstance(slot, int)
            before = items[i - 1] if i else ""
            told = verb_form(lower(items, i + 2)) and before == "the" and not comma
            clause = told and (word.lower() in _PLACES or lower(items, len(items) - 1) in PREPOSITION)
            if clause:
                i += 1
                continue  # "the city X died in"
            if before not in ("the", "a", "an") or lower(items, i - 2) in {"of", "by", "in"} | AUXILIARY | RELATIVE:
                draft.hints[slot] = word.lower()
                del items[i : i + (2 if comma else 1)]
                while i > 1 and _modifies(items, i):
                    i -= 1
                    del items[i]
                if i and items[i - 1] in ("the", "a", "an"):
                    del items[i - 1]
                continue
        i += 1


def _modifies(items: Sequence[Item], i: int) -> bool:
    """Whether the word before ``i`` only describes the name after it: "the publisher of | abolitionist X"."""
    start = next((j for j in range(i - 1, -1, -1) if ends_phrase(items, j)), -1)
    return (
        lower(items, i - 1).isalpha() and 1 < i - start < 4 and lower(items, start) in PREPOSITION | {"the", "a", "an"}
    )


def _statement(draft: Draft) -> bool:
    """A question that wants yes or no: its words and all its names make up one hop."""
    slots = [x for x in draft.items if isinstance(x, int)]
    if lower(draft.items, 0) not in AUXILIARY:
        return False
    draft.append(sentence(draft.items), slots, None, YES_NO)
    return True


def _clause_kind(items: Sequence[Item]) -> str:
    """``What does X mean?`` and ``How do I …?`` are answered by a clause; empty for any other question."""
    words = [lower(items, i) for i in range(len(items))]
    if words[:2] in (["what", "does"], ["what", "do"], ["what", "did"]) and words[-1] in ("mean", "indicate"):
        return MEANING
    return MANNER if words[:1] == ["how"] and words[1:2] in (["do"], ["can"], ["to"], ["should"]) else ""


def _clause_sought(draft: Draft) -> bool:
    kind = _clause_kind(draft.items)
    if kind:
        draft.append(sentence(draft.items), [x for x in draft.items if isinstance(x, int)], None, kind)
    return bool(kind)


def _definition(draft: Draft) -> bool:
    """``Who is X?``, ``What is X?``, ``Tell me about X``: what the page of X says that it is."""
    slots = [x for x in draft.items if isinstance(x, int)]
    rest = {w.lower() for w in draft.items if isinstance(w, str)}
    if draft.hops or len(slots) != 1 or slots[0] < 0 or not rest <= _DEFINING or rest & {"where", "when"}:
        return False
    if "about" in rest and not rest & {"tell", "explain", "describe"}:
        return False  # "who is X about"
    draft.append(sentence(draft.items), slots, None, DEFINITION)
    return True
