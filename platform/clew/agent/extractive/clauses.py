"""Relative clauses: where the words that only say which thing is meant begin and end, and their reduction to a hop."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import replace

from clew.agent.extractive.answer_types import ANY, answer_type
from clew.agent.extractive.casting import asks_for
from clew.agent.extractive.direction import oriented
from clew.agent.extractive.lexicon import Relation, acts, find_relation, head_types, relations, vocabulary
from clew.agent.extractive.plan import Draft, Item, lower, sentence
from clew.agent.extractive.word_classes import (
    AUXILIARY,
    DETERMINER,
    INVERTING,
    ORDER,
    PASSIVE,
    POSSESSIVE,
    PREPOSITION,
    RELATIVE,
    STOP,
    drop_determiner,
    ends_phrase,
    has_article,
    has_verb,
    is_verb,
    lacks_verb,
    past_participle,
    verb_form,
)
from clew.text.names import FUNCTION_WORDS

_LEADING = frozenset("of by to with for from in on at as than".split())
"""Words before a phrase that another question is about."""
TOLD = 2
"""Words that a clause without a name must have to say who is meant."""
_SUBJECT = frozenset("that which who".split())
_JOINED = frozenset("and or but not to".split())
"""Words after which a verb is one more of the same clause."""
_DO = frozenset("did do does".split())
_PRONOUN = frozenset("he she it they".split())
"""Subjects of a verb that says when or why: *lived when she died*."""
_PARTICLES = frozenset("up out off down away back together".split())
_INNER = frozenset("which who where whose that".split())
_OBJECT = frozenset("whom which".split())
_BELONGING = frozenset(
    "part member capital citizen native resident subsidiary one example instance participant".split()
)
"""Nouns after *is* that a preposition follows: *the country that X is part of*."""


def bare_clause(draft: Draft, held: bool = False) -> bool:
    """``the N X is part of``, ``the N (the) X was born in``: a relative clause without its pronoun. One that holds
    another clause waits for it, unless ``held``."""
    items = draft.items
    for i in range(len(items) - 2, 1, -1):
        verb = i + 1 + lower(items, i + 1).endswith("ly")
        if not isinstance(items[i], int) or not (is_verb(items, verb) or _told_by_place(items, i, verb)):
            continue
        noun_end = i - 1 if lower(items, i - 1) == "the" else i
        if ends_phrase(items, noun_end - 1):
            continue
        start = phrase_start(items, noun_end)
        if start == noun_end or not has_article(items, start) or noun_end - start > 3:
            continue
        if lower(items, noun_end - 1).endswith("est") or lower(items, noun_end - 1) in ORDER:
            continue  # "the highest X are": no noun
        if lower(items, start) in ("most", "more"):
            continue
        end = clause_end(items, i)
        if _asks_itself(items, start - 2, i, end):
            continue
        if lower(items, start - 2) in _INNER and not verb_form(lower(items, end)):
            continue  # "the tongue from which the word X | comes"
        if not held and any(lower(items, j) in _INNER for j in range(i + 1, end)):
            continue
        return reduce_clause(draft, start, noun_end, i, end)
    return False


def holding_clause(draft: Draft) -> bool:
    """A clause without its pronoun that holds another one which is no hop."""
    return bare_clause(draft, held=True)


def _asks_itself(items: Sequence[Item], before: int, start: int, end: int) -> bool:
    """Whether a verb after a name is the question's own: "where did the phrase X | come from", "when was the car X |
    made". ``before`` is where its auxiliary would stand, ``start`` to ``end`` the name and the verb."""
    if lower(items, before) in INVERTING:
        return not has_verb(items, end)
    return end - start == 2 and lacks_verb(items, before, end)


def _told_by_place(items: Sequence[Item], i: int, verb: int) -> bool:
    """Whether the word at ``verb``, after a name, is a verb only by its place: "the state X broadcasts from"."""
    placed = lower(items, i - 1) in head_types() and lower(items, i - 2) == "the"
    word = lower(items, verb)
    return placed and len(word) > 2 and word not in STOP | DETERMINER and word[-1] in "ds"


def relative(draft: Draft) -> bool:
    """``the N (in) which CLAUSE``: the clause that starts last is the innermost."""
    items = draft.items
    for i in range(len(items) - 1, 1, -1):
        word = lower(items, i)
        if word not in RELATIVE:
            continue
        held = PREPOSITION if word != "where" else frozenset()  # "the capital of | where X is from"
        noun_end = i - 1 if lower(items, i - 1) in held | {","} else i
        if lower(items, noun_end - 1) == ",":
            noun_end -= 1
        end = clause_end(items, i + 1)
        if end == len(items) and lower(items, end - 1) in PREPOSITION and isinstance(items[end - 2], int):
            end -= 1  # "which city is the school that X runs | in": a slot needs no preposition after it
        elif end == len(items) and {lower(items, end - 1), lower(items, end - 2)} <= PREPOSITION:
            end -= 1  # "what league is the team that X was a member of | in"
        start = phrase_start(items, noun_end)
        if start == noun_end and _displaced(items, phrase_start(items, noun_end - 1), noun_end, end):
            start = phrase_start(items, noun_end - 1)  # "where is the shop based | that X owns"
        adverb = word == "where" and start == i - 1 and lower(items, start).endswith("ly")
        if adverb or (word == "who" and noun_end < i and _free(items, i)):
            start = noun_end = i  # "seen differently | where X works", "the birthplace of | who made X"
        end = _one_of_two(items, start, i, end)
        if _described(items, start, i, end):
            return _describe(draft, start, i, end)
        named = any(isinstance(x, int) for x in items[i:end])
        if named and start == noun_end and _free(items, i):
            return _reduce_free(draft, i, end)
        if not named or start == noun_end or (start == 0 and noun_end - start == len(items)):
            continue
        if start and lower(items, start - 1) in ("what", "which") and word != "whose":
            continue
        if verb := _displaced(items, start, noun_end, end):
            items[noun_end - 1 :] = [*items[noun_end:], verb]
            return reduce_clause(draft, start, noun_end - 1, noun_end - 1, end - 1)
        return reduce_clause(draft, start, noun_end, noun_end, end)
    return False


def _one_of_two(items: Sequence[Item], start: int, pronoun: int, end: int) -> int:
    """Where a clause ends that tells of the first of two: "between the land that sent the ship | and X"."""
    determined = has_article(items, start)
    if lower(items, start - 1 - determined) != "between":
        return end
    return next((i for i in range(pronoun + 2, end) if lower(items, i) == "and"), end)


def _free(items: Sequence[Item], i: int) -> bool:
    """Whether *where* or *who* says by itself which place or person is meant: "students attend | where X works"."""
    word, before = lower(items, i), lower(items, i - 1)
    asked = any(lower(items, j) in RELATIVE | {"what", "how"} for j in range(i)) or lower(items, 0) in AUXILIARY
    if word == "where":
        begins = before not in ("and", "or", ",") and lower(items, i + 1) not in AUXILIARY
        return asked and begins and isinstance(items[i - 1], str)
    return word == "who" and before in _LEADING and i > 1


def _reduce_free(draft: Draft, i: int, end: int) -> bool:
    """Make such a clause one slot, as if it were *the place where …* or *the person who …*."""
    items = draft.items
    added = ["place"] if lower(items, i) == "where" else ["person"]
    if added == ["place"] and lower(items, i - 1) not in PREPOSITION:
        added = ["in", *added]
    items[i:i] = added
    at = i + len(added)
    return reduce_clause(draft, at - 1, at, at, end + len(added))


def _described(items: Sequence[Item], start: int, pronoun: int, end: int) -> bool:
    """Whether a clause without any name says who is meant: "the father of | the person who heeded the warning"."""
    clause = items[pronoun + 1 : end]
    told = sum(isinstance(w, str) and w.lower() not in FUNCTION_WORDS for w in clause)
    inner = has_article(items, start) and asks_more(items, start - 1, end)
    placed = lower(items, pronoun - 1) in PREPOSITION
    plain = start < pronoun and lower(items, pronoun) in (_OBJECT if placed else _SUBJECT | {"where"})
    return inner and plain and told >= TOLD and not any(isinstance(w, int) for w in clause)


def asks_more(items: Sequence[Item], start: int, end: int) -> bool:
    """Whether a question holds more than the phrase from ``start`` to ``end`` and what asks for it."""
    rest = [*items[:start], *items[end:]]
    return any(isinstance(x, int) or (x.lower() not in FUNCTION_WORDS and x[0].isalnum()) for x in rest)


def _describe(draft: Draft, start: int, pronoun: int, end: int) -> bool:
    """Make such a phrase a question of its own, which names nothing."""
    items = draft.items
    placed = lower(items, pronoun - 1) in PREPOSITION
    noun = [w.lower() for w in items[start : pronoun - placed] if isinstance(w, str)]
    clause = [w for w in items[pronoun + 1 : end] if isinstance(w, str)]
    clause += [lower(items, pronoun - 1)] if placed else []
    asking = ["who"] if noun == ["person"] else ["which", *noun]
    if lower(items, pronoun) == "where":
        asking = ["where"] if noun == ["place"] else ["in", *asking]
    return make_hop(draft, start, end, " ".join([*asking, *clause]), [], noun)


def make_hop(draft: Draft, start: int, end: int, template: str, slots: Sequence[int], noun: Sequence[str]) -> bool:
    """Make the words from ``start`` to ``end`` one slot, of a hop that seeks ``noun`` and that no known relation
    tells, but for a role."""
    expects, head = answer_type(noun, None)
    relation = relations()["cast"] if expects == "person" and asks_for(template) == "actor" else None
    draft.items[start:end] = [draft.append(template, slots, relation, expects, head)]
    drop_determiner(draft.items, start)
    return True


def _displaced(items: list[Item], start: int, noun_end: int, end: int) -> str:
    """The question's own verb where the clause stands after it: "where did the band form that made X"."""
    verb, auxiliary = lower(items, noun_end - 1), lower(items, start - 2)
    passive = auxiliary in PASSIVE and (verb.endswith("ed") or verb_form(verb))
    inverted = auxiliary in INVERTING and noun_end - start == 2
    return verb if (passive or inverted) and end == len(items) and noun_end - start > 1 else ""


def phrase_start(items: Sequence[Item], end: int, longest: int = sys.maxsize) -> int:
    """Where the noun phrase that ends before ``end`` begins, without its article, and of so many words at most."""
    start, least = end, max(0, end - longest)
    while start > least and isinstance(items[start - 1], str) and not ends_phrase(items, start - 1):
        start -= 1
    return start


def reduce_clause(draft: Draft, start: int, noun_end: int, clause: int, end: int) -> bool:
    """Make the noun phrase and its clause one slot; the clause begins at ``clause`` and may lack its pronoun."""
    items = draft.items
    noun = [w.lower() for w in items[start:noun_end] if isinstance(w, str)]
    inside = items[clause:end]
    words = ["x" if isinstance(x, int) else x.lower() for x in inside]
    slots = [x for x in inside if isinstance(x, int)]
    if _says_no_more(draft, noun, words, slots):
        items[start:end] = slots
        drop_determiner(items, start)
        return True
    template = sentence([*noun, *inside])
    expects, head = answer_type(noun, None)
    relation = oriented(_relation(words, noun), expects, words)
    if relation and relation.name == "cast of" and expects == "organisation":
        relation = relations()["league" if head == "league" else "team"] if _plays(words) else None
    if relation and expects == "any":
        expects = relation.type
    target = draft.append(template, slots, relation, expects, head)
    items[start:end] = [target]
    drop_determiner(items, start)
    return True


def _plays(clause: Sequence[str]) -> bool:
    """Whether a clause tells for whom somebody plays: "the team that X played for", not "that played at X"."""
    return "x" in clause[:2] and clause[-1] in ("for", "in", "with", "on")


def _says_no_more(draft: Draft, noun: list[str], clause: list[str], slots: list[int]) -> bool:
    """Whether a clause only names again what the hop before it found: "the city where | the headquarters of X | is",
    "the actor who is | the star of X", "the faith that is | the religion of X"."""
    hop = next((hop for hop in draft.hops if slots == [hop.target]), None)
    if hop is None or not noun or len(clause) < 2:
        return False
    dated = len(clause) > 4 and clause[-1].isdigit() and clause[-2] == "in"
    says = set(clause[:-2] if dated else clause) <= _SAYING
    if hop.expects == "place" and hop.head not in vocabulary("containers"):
        held = hop.head in SEATS and set(clause) <= _SAYING | _HOLDING
        return (says or held) and noun[-1] in ("city", "town", "place", "location")
    same = hop.expects == answer_type(noun, None)[0] not in (ANY, "place")
    whole = says and same and clause[0] in ("who", "that", "which") and clause[-3 if dated else -1] == "x"
    if whole and dated:
        draft.hops[draft.hops.index(hop)] = replace(hop, template=f"{hop.template} {' '.join(clause[-2:])}")
    return whole


_SAYING = frozenset("where who that which x is became was are were located based situated in".split())
_HOLDING = frozenset("holds houses contains has would be".split())
_HELD = frozenset(
    "contain include includes including hold border borders shares overlooks surrounds encompasses".split()
)
SEATS = frozenset("headquarters location seat".split())
"""Head nouns of places that a town holds: "the town that holds the headquarters of X"."""


def _relation(clause: list[str], noun: list[str]) -> Relation | None:
    """The clause says more than the noun: "the city where X was born" asks for a birthplace, not for a location.

    But a place that a clause mentions, or what happened meanwhile, is not what "the president when …" asks for.
    """
    told, named = find_relation(" ".join(clause)), find_relation(" ".join(noun))
    if told is None and named is not None and named.name == "located":
        told = find_relation(f"where {' '.join(clause)}")  # "the city X died"
    if told is None and _acting(clause):
        return None  # "the country that invaded X": not the country of X
    if told is None or clause[0] == "when":
        return named or told
    mentioned = told.name == "located" and named is not None and named.type in ("person", "organisation", "country")
    return named if mentioned else told


def _acting(clause: list[str]) -> bool:
    """Whether a clause says what somebody or something did to what it names: "that invaded x"."""
    acted = (
        clause[0] in _SUBJECT and len(clause) > 1 and clause[1] not in AUXILIARY | _HOLDING | _HELD and clause[1] != "x"
    )
    return acted and (acts(clause[1]) or (clause[1].endswith("ly") and acts(clause[2])))


def clause_end(items: Sequence[Item], start: int, begun: bool = False) -> int:
    """Where the clause that begins at ``start`` ends: at a comma, or before the second verb, which is the question's.
    ``begun`` where its own verb stands before ``start``.

    A verb that nothing follows (*is located*, *is part of*) ends it as well where no preposition adds a place or time:
    so "the country where X is located | refuse …" needs no list of all verbs.
    """
    named = told = False
    verbs = begun
    where = lower(items, start - 1) == "where"
    subject = begun or lower(items, start - 1) in _SUBJECT
    i = start
    while i < len(items):
        item = items[i]
        if isinstance(item, int):
            named = True
            i += 1
        elif item.lower() == "that" and i > start and _says(lower(items, i - 1)):
            verbs = told = False  # "who argued that X | had sunk": what was said has a verb of its own
            i += 1
        elif (
            (item == "." and "." not in items[i - 1 : i + 2 : 2])
            or (item == "," and (named or verbs))
            or (verbs and named and _asked_with_do(items, i, start))
        ):
            return i
        elif (
            is_verb(items, i)
            or (not named and not verbs and _unlisted_verb(items, i, start))
            or _told_of(items, i, start)
        ):
            if verbs and (named or told) and lower(items, i - 1) not in _JOINED | _PRONOUN:
                return i
            verbs = True
            i = _verb_end(items, i)
            if named and i < len(items) and not _goes_on(items, i):
                return i + 2 if _has_object(items, i) else i
        else:
            told = told or (((subject and verbs) or where) and lower(items, i) not in FUNCTION_WORDS)
            i += 1
    return len(items)


def _asked_with_do(items: Sequence[Item], i: int, start: int) -> bool:
    """Whether a word is the verb of a question with *did* or *does* by its place: "when did the firm that made X |
    change the colour", "what did the poet whom X wrote Y for | win"."""
    word, before = lower(items, i), items[i - 1]
    if not any(lower(items, j) in _DO for j in range(start)) or not word.isalpha() or word.endswith(("ed", "ing", "s")):
        return False
    if isinstance(before, int):
        return word not in STOP | DETERMINER | POSSESSIVE and lower(items, i + 1) in DETERMINER | POSSESSIVE
    return before.lower() in PREPOSITION and verb_form(word) and lower(items, i + 1) in DETERMINER


def _says(verb: str) -> bool:
    """Whether what is said, thought or found follows a verb with *that*."""
    return verb in vocabulary("saying")


def _unlisted_verb(items: Sequence[Item], i: int, start: int) -> bool:
    """Whether a word is a verb only by its place: right after *that*, *which* or *who*, where no name follows."""
    word = lower(items, i)
    subject = lower(items, start - 1) in _SUBJECT and lower(items, start - 2) not in PREPOSITION
    return i == start and subject and word not in DETERMINER and word not in PREPOSITION


def _told_of(items: Sequence[Item], i: int, start: int) -> bool:
    """Whether a word is a verb only by its place: right after the name that a relative clause is about."""
    named = i == start + 1 and isinstance(items[start], int) and lower(items, start - 1) in RELATIVE
    word = lower(items, i)
    verb = named and len(word) > 3 and word[-1] in "sd" and word.isalpha()
    return verb and not (word[-1] == "s" and _follows_people(items, i + 1))


def _follows_people(items: Sequence[Item], i: int) -> bool:
    """Whether a verb in the past makes the word before it a noun, of those who did it: "where X troops | crossed Y"."""
    word = lower(items, i)
    return past_participle(word) and len(word) > 4


def _verb_end(items: Sequence[Item], i: int) -> int:
    """The end of the verb that begins at ``i``: auxiliaries, adverbs, a participle, *part of*."""
    helped = False
    while lower(items, i) in AUXILIARY or (lower(items, i).endswith("ly") and lower(items, i) != "family"):
        helped = helped or lower(items, i) in AUXILIARY
        i += 1
    if helped and lower(items, i) in ("a", "an", "the") and lower(items, i + 1) in _BELONGING:
        i += 1
    if helped and lower(items, i) in _BELONGING:
        return i + 2 if lower(items, i + 1) in ("of", "to") else i + 1
    if helped and lower(items, i + 1) == "to" and lower(items, i + 2) == "be":
        i += 3  # "is considered to be located"
    word = lower(items, i)
    participle = past_participle(word) or word in vocabulary("verbs")
    if not helped or participle:
        i += 1
    if participle and lower(items, i) == "to" and verb_form(lower(items, i + 1)):
        i += 2  # "is licensed to broadcast"
    # "was born in": a preposition that nothing follows belongs to the verb.
    if lower(items, i) in PREPOSITION and (i + 1 == len(items) or verb_form(lower(items, i + 1))):
        i += 1
    return i


def _has_object(items: Sequence[Item], i: int) -> bool:
    """Whether a noun and a preposition that another verb follows end a clause: "the lord X declared | war on"."""
    word = lower(items, i)
    noun = word.isalpha() and not verb_form(word) and not word.endswith(("ed", "ly")) and word not in STOP
    after = lower(items, i + 2)
    return noun and lower(items, i + 1) in PREPOSITION and (verb_form(after) or after.endswith("ed"))


def _goes_on(items: Sequence[Item], i: int) -> bool:
    """Whether what follows a clause's verb still belongs to the clause: an object, a place, a time."""
    more = PREPOSITION | DETERMINER | POSSESSIVE | RELATIVE | _PARTICLES | {"not", "also", "'s", "’s"}
    if lower(items, i) in ("a", "an") and lower(items, i + 1) in _BELONGING and lower(items, i + 2) == "of":
        return i + 3 < len(items)  # "what is the school that X attended | a part of"
    return isinstance(items[i], int) or lower(items, i) in more
