"""The reductions: the innermost relation of a question becomes a hop, and its words one slot.

The rules look at the order of words only: possessives (``X's father``), *of*-phrases (``the director of X``), relative
clauses (``the country where X is found``) and participles (``the firm founded by X``).
"""

from __future__ import annotations

from collections.abc import Sequence

from clew.agent.extractive.answer_types import ANY, answer_type
from clew.agent.extractive.lexicon import find_relation, head_types, kinship, relations
from clew.agent.extractive.plan import Draft, Item, lower
from clew.ingest.names import FUNCTION_WORDS

ROUNDS = 8
"""Reductions of one question, at most."""

AUXILIARY = frozenset(
    "is are was were be been did does do has have had can could will would may might should must".split()
)
PREPOSITION = frozenset(
    """of for to in on at from by with near into under after before during since as about behind against over
    than""".split()
)
RELATIVE = frozenset("that which who where whose whom when".split())
DETERMINER = frozenset("the a an this that".split())
VERB = frozenset(
    """born die died dies found live lived work works worked study studied marry married belong belongs come came comes
    go goes went start started begin began end ended win won receive received play plays played write wrote written
    hold held take took make made become became lead led run runs flow flows get got build built locate located called
    named stand stands lie lies open opened close closed attend attended borders border join joined teach taught happen
    leave left serve served own owns use used share shares sing sang fight fought earn earned die publish graduate
    bear rule ruled govern governed keep kept sink sank move moved grow grew invent discover discovered compose direct
    dissolve handle occur become contain produce produced taken broadcast sell buy lose lost reach reaches create
    perform release appear appeared first last most earlier later""".split()
)
STOP = AUXILIARY | PREPOSITION | RELATIVE | frozenset("and or but if then , ? ! ; : ( ) 's ’s".split())


def reduce(draft: Draft) -> bool:
    """Replace the innermost relation by the slot of its answer; False where there is none left."""
    return _possessive(draft) or _of_phrase(draft) or _participle(draft) or _bare_clause(draft) or _relative(draft)


def add_relation(draft: Draft, subject: int, words: Sequence[str]) -> int:
    """Add ``words`` (a noun phrase such as *paternal grandfather*) of a slot; kinship terms become several hops."""
    phrase = " ".join(words).lower().replace("_", " ")
    for term in sorted(kinship(), key=len, reverse=True):
        if phrase == term or phrase.endswith(" " + term):
            for name in kinship()[term]:
                relation = relations()[name]
                subject = draft.append(f"{relation.noun} of {{{subject}}}", [subject], relation, relation.type)
            return subject
    return draft.add(f"{phrase} of {{{subject}}}", [subject], [*phrase.split(), "of", "x"])


def _possessive(draft: Draft) -> bool:
    items = draft.items
    for i in range(len(items) - 1):
        if isinstance(items[i], int) and items[i + 1] in ("'s", "’s", "'", "’"):
            phrase = _noun_phrase(items, i + 2)
            slot = items[i]
            assert isinstance(slot, int)
            if not phrase:
                del items[i + 1]
                return True
            target = add_relation(draft, slot, phrase)
            items[i : i + 2 + len(phrase)] = [target]
            _drop_determiner(items, i)
            return True
    return False


def _noun_phrase(items: list[Item], start: int, limit: int = 4) -> list[str]:
    phrase: list[str] = []
    for word in items[start : start + limit]:
        if isinstance(word, int) or word.lower() in STOP or _is_verb(word, phrase):
            break
        if word.lower().endswith("ed") and phrase and word.lower() not in ("red",):
            break
        phrase.append(word)
    return phrase


def _is_verb(word: str, phrase: list[str]) -> bool:
    """Whether a word ends a noun phrase as a verb: *work* is a noun where it comes first."""
    return word.lower() in VERB - {"first", "last", "most"} and (word.lower() != "work" or bool(phrase))


def _of_phrase(draft: Draft) -> bool:
    """``[the] NP of X``, the rightmost first; without a determiner the noun phrase must name a relation."""
    items = draft.items
    for i in range(len(items) - 1, 1, -1):
        slot = items[i]
        if not isinstance(slot, int) or not isinstance(items[i - 1], str) or (i >= 2 and isinstance(items[i - 2], int)):
            continue
        preposition = lower(items, i - 1)
        if preposition == "the" and i > 2 and lower(items, i - 2) in ("of", "in", "for"):
            del items[i - 1]
            return True
        if preposition not in ("of", "for", "to", "in", "at", "from"):
            continue
        if _complement_follows(items, i):
            continue
        start = i - 1
        while start > 0 and i - start < 7 and isinstance(items[start - 1], str) and not _ends_phrase(items, start - 1):
            start -= 1
        phrase = [w for w in items[start : i - 1] if isinstance(w, str)]
        determined = start > 0 and lower(items, start - 1) in ("the", "a", "an")
        if not phrase or not _names_relation(phrase, preposition, determined):
            continue
        if preposition != "of" and lower(items, start - 2) not in (
            "",
            "of",
            "in",
            "is",
            "was",
            "are",
            "were",
            "on",
            "at",
        ):
            continue
        lowered = [w.lower() for w in phrase]
        if preposition == "of":
            target = draft.part([*lowered, "of"], slot) if _is_part(lowered) else add_relation(draft, slot, phrase)
        else:
            words = [*lowered, preposition]
            target = (
                draft.part(words, slot)
                if _is_part(lowered)
                else draft.add(f"{' '.join(words)} {{{slot}}}", [slot], [*words, "x"])
            )
        items[start : i + 1] = [target]
        _drop_determiner(items, start)
        return True
    return False


def _complement_follows(items: list[Item], i: int) -> bool:
    """Whether a possessive, which binds closer, still follows the name."""
    return i + 1 < len(items) and items[i + 1] in ("'s", "’s")


def _ends_phrase(items: list[Item], i: int) -> bool:
    word = lower(items, i)
    return (
        word in DETERMINER
        or word in STOP
        or word in ("what", "how", "why", "many", "much")
        or (word in VERB and word not in ("first", "last", "most"))
    )


def _names_relation(phrase: list[str], preposition: str, determined: bool) -> bool:
    lowered = [w.lower() for w in phrase]
    if all(w in FUNCTION_WORDS for w in lowered) or lowered[-1] in ("part", "one", "kind", "type", "name", "instance"):
        return False
    if lowered[-1] in VERB and preposition != "of":
        return False
    known = find_relation(" ".join(lowered).replace("_", " ")) is not None or lowered[-1] in kinship()
    typed = lowered[-1] in head_types() or lowered[-1].removesuffix("s") in head_types()
    return determined or known or typed if preposition == "of" else determined and (known or typed or len(phrase) > 1)


def _is_part(phrase: list[str]) -> bool:
    """Whether a noun phrase names a part or an aspect rather than something with a name: the tower of a lighthouse."""
    if find_relation(" ".join(phrase).replace("_", " ")) or phrase[-1] in kinship():
        return False
    return answer_type(phrase, None)[0] == ANY


def _participle(draft: Draft) -> bool:
    """``the NP founded by X``, ``the NP containing X``, ``the NP located in X``."""
    items = draft.items
    for i in range(len(items) - 1, 1, -1):
        slot = items[i]
        if not isinstance(slot, int) or _complement_follows(items, i):
            continue
        verb = i - 2 if lower(items, i - 1) in ("by", "in", "at", "from", "after", "to", "for", "on") else i - 1
        word = lower(items, verb) if verb > 0 else ""
        participle = (verb == i - 2 and (word.endswith("ed") or word in VERB)) or (
            verb == i - 1 and word.endswith("ing") and len(word) > 5
        )
        if not participle or word in AUXILIARY or isinstance(items[verb - 1], int):
            continue
        start = verb
        while (
            start > 0 and verb - start < 5 and isinstance(items[start - 1], str) and not _ends_phrase(items, start - 1)
        ):
            start -= 1
        if start == verb or start == 0 or lower(items, start - 1) not in ("the", "a", "an"):
            continue
        words = [w.lower() for w in items[start:i] if isinstance(w, str)]
        target = draft.add(f"{' '.join(words)} {{{slot}}}", [slot], [*words, "x"])
        items[start : i + 1] = [target]
        _drop_determiner(items, start)
        return True
    return False


def _bare_clause(draft: Draft) -> bool:
    """``the N X is part of``, ``the N X was born in``: a relative clause without its pronoun."""
    items = draft.items
    for i in range(len(items) - 2, 1, -1):
        if not isinstance(items[i], int) or lower(items, i + 1) not in AUXILIARY | VERB or _ends_phrase(items, i - 1):
            continue
        start = i
        while start > 0 and isinstance(items[start - 1], str) and not _ends_phrase(items, start - 1):
            start -= 1
        if start == i or lower(items, start - 1) not in ("the", "a", "an") or i - start > 3:
            continue
        end = _clause_end(items, i)
        noun = [w.lower() for w in items[start:i] if isinstance(w, str)]
        slots = [x for x in items[i:end] if isinstance(x, int)]
        return _reduce_clause(draft, start, end, noun, items[i:end], slots)
    return False


def _relative(draft: Draft) -> bool:
    """``the N (in) which CLAUSE`` and ``the N X is part of``: the clause that starts last is the innermost."""
    items = draft.items
    for i in range(len(items) - 1, 0, -1):
        word = lower(items, i)
        if word not in RELATIVE or i < 2:
            continue
        noun_end = i - 1 if lower(items, i - 1) in PREPOSITION | {","} else i
        end = _clause_end(items, i + 1)
        slots = [x for x in items[i:end] if isinstance(x, int)]
        start = noun_end
        while start > 0 and isinstance(items[start - 1], str) and not _ends_phrase(items, start - 1):
            start -= 1
        if not slots or start == noun_end or (start == 0 and noun_end - start == len(items)):
            continue
        noun = [w.lower() for w in items[start:noun_end] if isinstance(w, str)]
        if start and lower(items, start - 1) in ("what", "which") and word != "whose":
            continue
        return _reduce_clause(draft, start, end, noun, items[noun_end:end], slots)
    return False


def _reduce_clause(
    draft: Draft, start: int, end: int, noun: list[str], clause: Sequence[Item], slots: Sequence[int]
) -> bool:
    words = ["x" if isinstance(x, int) else x.lower() for x in clause]
    template = " ".join([*noun, *(f"{{{x}}}" if isinstance(x, int) else x for x in clause)])
    # The clause says more than the noun: "the city where X was born" asks for a birthplace, not for a location.
    relation = find_relation(" ".join(words)) or find_relation(" ".join(noun))
    expects, head = answer_type(noun, None)
    if relation and expects == "any":
        expects = relation.type
    target = draft.append(template, slots, relation, expects, head)
    draft.items[start:end] = [target]
    _drop_determiner(draft.items, start)
    return True


def _clause_end(items: list[Item], start: int) -> int:
    """Where a relative clause ends: at a comma, or before a second verb once it has a name and a verb."""
    named = verb = False
    for i in range(start, len(items)):
        item = items[i]
        if isinstance(item, int):
            named = True
            continue
        word = item.lower()
        if word == ",":
            return i
        if word in AUXILIARY:
            if named and verb:
                return i
            continue
        if word in VERB or word.endswith(("ed", "ing")) or (word in ("part", "member") and named):
            if named and verb and isinstance(items[i - 1], int):
                return i
            verb = True
        elif not named and not verb and word not in STOP and word not in DETERMINER:
            verb = True
    return len(items)


def _drop_determiner(items: list[Item], i: int) -> None:
    if i and lower(items, i - 1) in ("the", "a", "an"):
        del items[i - 1]
