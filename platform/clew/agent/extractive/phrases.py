"""The reductions: the innermost relation of a question becomes a hop, and its words one slot.

The rules look at the order of words only: possessives (``X's father``), *of*-phrases (``the director of X``), relative
clauses (``the country where X is found``) and participles (``the firm founded by X``).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from clew.agent.extractive.answer_types import ANY, answer_type
from clew.agent.extractive.between import SUPERLATIVE
from clew.agent.extractive.clauses import (
    SEATS,
    asks_more,
    bare_clause,
    holding_clause,
    make_hop,
    phrase_start,
    relative,
)
from clew.agent.extractive.lexicon import acts, find_relation, head_types, kinship_terms, relations, vocabulary
from clew.agent.extractive.participles import told_by_participle, told_by_rank
from clew.agent.extractive.plan import Draft, Item, lower
from clew.agent.extractive.statements import question_word
from clew.agent.extractive.word_classes import (
    AUXILIARY,
    DETERMINER,
    PARTS,
    PASSIVE,
    QUESTION,
    STOP,
    drop_determiner,
    ends_phrase,
    has_article,
    lacks_verb,
    past_participle,
    verbs,
)
from clew.text.names import FUNCTION_WORDS

_BEFORE = frozenset(("", "of", "in", "is", "was", "are", "were", "on", "at", "by", "with", "had", "has", "did", "does"))
"""Words before a noun phrase that a place follows, where both belong together: "of | the church in X"."""
_SHARES = frozenset("percentage percent proportion share part number".split())
_DO = frozenset("did does do".split())
_PLAY = frozenset("play plays played portray portrays portrayed".split())
_PLAYING = frozenset("playing portraying voicing".split())
_WORKS = frozenset("movie film show series musical play sitcom game".split())
_BECOMING = frozenset("become becomes became been".split())
_BESIDE = frozenset("near within by with beside behind outside inside below above beneath under than".split())
ROUNDS = 8
"""Reductions of one question, at most."""


def reduce(draft: Draft) -> bool:
    """Replace the innermost relation by the slot of its answer; False where there is none left."""
    told = (_participle, _beside, told_by_participle, bare_clause, relative, holding_clause, _between, told_by_rank)
    return any(rule(draft) for rule in (_possessive, _same, _of_phrase, *told))


def add_relation(draft: Draft, subject: int, words: Sequence[str]) -> int:
    """Add ``words`` (a noun phrase such as *paternal grandfather*) of a slot; kinship terms become several hops."""
    phrase = " ".join(words).lower().replace("_", " ")
    plain = " " + phrase.replace("-", " ")
    for term in sorted(kinship_terms(), key=len, reverse=True):
        if plain.endswith(" " + term.replace("-", " ")):
            for name in kinship_terms()[term]:
                relation = relations()[name]
                subject = draft.append(f"{relation.noun} of {{{subject}}}", [subject], relation, relation.type)
            draft.hops[-1] = replace(draft.hops[-1], term=term)
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
            end = i + 2 + len(phrase)
            lowered = [w.lower() for w in phrase]
            done = any(isinstance(item, str) and acts(item.lower()) for item in items[:i])
            if ((end < len(items) or done) and _is_part(lowered)) or _is_role(items, i, lowered):
                items[i:end] = [draft.part([*lowered, "of"], slot)]
            else:
                target, end = _played(draft, slot, phrase, end) or (add_relation(draft, slot, phrase), end)
                items[i:end] = [target]
            drop_determiner(items, i)
            return True
    return False


def _played(draft: Draft, character: int, phrase: Sequence[str], end: int) -> tuple[int, int] | None:
    """``the actor of X in Y``, read up to ``end``, as one hop: its slot, and where the phrase ends."""
    relation = find_relation(" ".join(phrase).lower().replace("_", " "))
    if relation is None or relation.name not in ("cast", "performer"):
        return None
    noun = " ".join(phrase).lower().split()
    noun += [] if noun[-1] in _PLAYING else ["of"]
    words, at = _in_work(draft.items, end)
    if not words:
        return None
    work = draft.items[at - 1]
    assert isinstance(work, int)
    template = f"{' '.join(noun)} {{{character}}} {' '.join(words)} {{{work}}}"
    return draft.add(template, [character, work], [*noun, "x", *words, "x"]), at


def _in_work(items: Sequence[Item], start: int) -> tuple[list[str], int]:
    """The words between a role and the name of its work ("in the film"), and where that name ends; none elsewhere."""
    at = start + 1
    while lower(items, at) in ("the", "a") or lower(items, at) in _WORKS:
        at += 1
    named = at < len(items) and isinstance(items[at], int)
    if lower(items, start) not in ("in", "on", "from") or not named:
        return [], start
    return [lower(items, i) for i in range(start, at)], at + 1


def _noun_phrase(items: list[Item], start: int, limit: int = 4) -> list[str]:
    phrase: list[str] = []
    for word in items[start : start + limit]:
        if isinstance(word, int) or word.lower() in STOP | DETERMINER or _is_verb(word, phrase):
            break
        if word.lower().endswith("ed") and phrase and word.lower() not in ("red",):
            break
        phrase.append(word)
    end = start + len(phrase)
    belonging = lower(items, end - 1) in PARTS and lower(items, end) == "of"
    if len(phrase) > 1 and (belonging or _asked_last(items, end)):
        phrase.pop()
    return phrase


def _asked_last(items: list[Item], end: int) -> bool:
    """Whether the word before ``end`` ends the question as its verb: "who does X's father | follow"."""
    return end == len(items) and any(lower(items, i) in _DO for i in range(end))


def _is_verb(word: str, phrase: list[str]) -> bool:
    """Whether a word ends a noun phrase as a verb: *work* and *lead* are nouns where they come first."""
    return word.lower() in verbs() - {"first", "last", "most"} and (
        word.lower() not in ("work", "lead") or bool(phrase)
    )


def _same(draft: Draft) -> bool:
    """``the same N as X``: the N that X is in, or has."""
    items = draft.items
    for i in range(len(items) - 1, 3, -1):
        if not isinstance(items[i], int) or lower(items, i - 1) != "as":
            continue
        start = next((j for j in range(i - 2, max(0, i - 6), -1) if lower(items, j) == "same"), 0)
        noun = [w for w in items[start + 1 : i - 1] if isinstance(w, str)]
        if start and noun and lower(items, 0) not in AUXILIARY:
            slot = items[i]
            assert isinstance(slot, int)
            if [w.lower() for w in noun] == ["name"]:
                _namesake(draft, start, i)
                return True
            items[start : i + 1] = [add_relation(draft, slot, noun)]
            drop_determiner(items, start)
            return True
    return False


def _namesake(draft: Draft, start: int, end: int) -> None:
    """``the N with the same name as X`` is whoever X is called: the name says all that the question tells of N."""
    items = draft.items
    start -= lower(items, start - 1) in ("the", "a")
    if lower(items, start - 1) in ("with", "has", "have", "shares", "having"):
        start -= 1
    start -= lower(items, start - 1) in ("that", "who", "which")
    items[start : end + 1] = [items[end]]
    while start and isinstance(items[start - 1], str) and not ends_phrase(items, start - 1):
        del items[start - 1]
        start -= 1
    drop_determiner(items, start)


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
        if preposition not in ("of", "for", "to", "in", "at", "from", "by", "on"):
            continue
        if _complement_follows(items, i):
            continue
        start = phrase_start(items, i - 1, 6)
        start -= lower(items, start - 1) == "most"
        phrase = [w for w in items[start : i - 1] if isinstance(w, str)]
        if start and question_word(items) == start - 1:
            continue  # "X is a member of | what chamber of Y": sought, and nothing that leads there
        best = SUPERLATIVE.match(" ".join(phrase).lower()) is not None
        if preposition == "of" and (
            _is_share(items, start, i) or _is_sought(items, start, i) or _is_predicate(items, start)
        ):
            continue
        determined = has_article(items, start)
        if not phrase or not _names_relation(phrase, preposition, determined):
            continue
        if preposition == "by" and answer_type([w.lower() for w in phrase], None)[0] != "place":
            continue
        if preposition != "of" and not best and lower(items, start - 2) not in _BEFORE:
            continue
        lowered = [w.lower() for w in phrase]
        if preposition == "of":
            if played := _played(draft, slot, phrase, i + 1):
                items[start : played[1]] = [played[0]]
                drop_determiner(items, start)
                return True
            if _is_where(draft, slot, lowered):
                target = slot
            elif _is_part(lowered) or _is_group(items, start, lowered) or _is_named_so(items, i, lowered):
                target = draft.part([*lowered, "of"], slot)
            else:
                target = add_relation(draft, slot, phrase)
                i = _with_second(draft, start, i)
        else:
            words = [*lowered, preposition]
            target = (
                draft.part(words, slot)
                if _is_part(lowered) or _is_group(items, start, lowered)
                else draft.add(f"{' '.join(words)} {{{slot}}}", [slot], [*words, "x"])
            )
        items[start : i + 1] = [target]
        drop_determiner(items, start)
        return True
    return False


def _between(draft: Draft) -> bool:
    """``the N between X and Y`` as one hop of two, where the question asks more about it."""
    items = draft.items
    for i in range(len(items) - 1, 4, -1):
        second, and_ = items[i], i - 1 - (lower(items, i - 1) == "the")
        first = items[and_ - 1]
        if not (isinstance(second, int) and isinstance(first, int) and lower(items, and_) == "and"):
            continue
        between = and_ - 2 - (lower(items, and_ - 2) == "the")
        start = phrase_start(items, between)
        determined = start < between and has_article(items, start)
        if lower(items, between) != "between" or not determined or not asks_more(items, start - 1, i + 1):
            continue
        noun = [w.lower() for w in items[start:between] if isinstance(w, str)]
        template = f"{' '.join(noun)} between {{{first}}} and {{{second}}}"
        return make_hop(draft, start, i + 1, template, [first, second], noun)
    return False


def _beside(draft: Draft) -> bool:
    """``the N near X``, ``the N larger than X``: what is told by where it is, or how great, beside something else."""
    items = draft.items
    for i in range(len(items) - 1, 2, -1):
        slot, at = items[i], i - 1 - (lower(items, i - 1) == "the")
        if not isinstance(slot, int) or lower(items, at) not in _BESIDE or _complement_follows(items, i):
            continue
        compared = lower(items, at) == "than"
        if compared and not lower(items, at - 1).endswith("er"):
            continue
        start = phrase_start(items, at)
        noun = [w.lower() for w in items[start : at - compared] if isinstance(w, str)]
        expects, head = answer_type(noun, None) if noun else (ANY, "")
        if expects == ANY or not has_article(items, start) or not asks_more(items, start - 1, i + 1):
            continue
        last = lower(items, at - 1)
        if lacks_verb(items, start - 2, i + 1) or last.endswith("ing") or past_participle(last):
            continue
        hop = next((hop for hop in draft.hops if hop.target == slot), None)
        words = " ".join(w.lower() for w in items[start : at + 1] if isinstance(w, str))
        if lower(items, at) == "with" and hop and hop.expects in (ANY, "number"):
            # "the player with the highest score": who has it is one thing to look up
            whole = replace(hop, template=f"{words} {hop.template}", relation=None, expects=expects, head=head)
            draft.hops[draft.hops.index(hop)] = whole
            items[start : i + 1] = [slot]
            drop_determiner(items, start)
            return True
        return make_hop(draft, start, i + 1, f"{words} {{{slot}}}", [slot], noun)
    return False


def _is_share(items: list[Item], start: int, end: int) -> bool:
    """Whether a phrase is only a part of what the question tells of: "what percentage of X | adheres to Y"."""
    share = lower(items, end - 2) in _SHARES and lower(items, start - 1) in ("what", "which")
    return (
        share and end + 1 < len(items) and lower(items, end + 1) not in ("in", "?") and not _is_only_named(items, end)
    )


def _is_only_named(items: list[Item], end: int) -> bool:
    """Whether *is* follows without a participle, as in "what percentage of X is Y", not "is used for Y"."""
    return lower(items, end + 1) in ("is", "was") and not lower(items, end + 2).endswith("ed")


def _is_sought(items: Sequence[Item], start: int, end: int) -> bool:
    """Whether a phrase is what the question itself asks for, of a name that more is told of: "in what region of X | is
    Y"."""
    asked = lower(items, start - 1) in ("what", "which")
    inverted = lower(items, end + 1) in AUXILIARY | {","}
    noun = [item.lower() for item in items[start : end - 1] if isinstance(item, str)]
    placed = answer_type(noun, None)[0] in ("place", "number")
    return asked and inverted and placed and any(isinstance(item, int) for item in items[end + 1 :])


def _is_where(draft: Draft, slot: int, phrase: list[str]) -> bool:
    """Whether a phrase only names again the place that a hop found: "the location of | the headquarters of X"."""
    hop = next((hop for hop in draft.hops if hop.target == slot), None)
    return hop is not None and hop.head in SEATS and phrase[-1] in ("location", "place", "site")


def _is_group(items: Sequence[Item], start: int, phrase: list[str]) -> bool:
    """Whether a phrase means several things among which one is told of: "the top five towns in X", "among the towns
    of X"."""
    return phrase[0] == "top" or lower(items, start - 2) == "among"


def _is_named_so(items: Sequence[Item], i: int, phrase: list[str]) -> bool:
    """Whether a noun makes up a name with the place at ``i``, of which the question asks more: "who won | the battle
    of X"."""
    return phrase[-1] in vocabulary("named_after_places") and len(phrase) == 1 and asks_more(items, i - 2, i + 1)


def _is_role(items: Sequence[Item], start: int, phrase: list[str]) -> bool:
    """Whether a relative is a part that somebody plays, who may have no name: "who plays | the wife of X in Y"."""
    verb = lower(items, start - 1 - has_article(items, start))
    return verb in _PLAY and phrase[-1] in vocabulary("relatives")


def _with_second(draft: Draft, start: int, i: int) -> int:
    """Move a second thing into the hop that was read up to ``i``, and say where that ends: "was | the land north of X
    and Y | founded" speaks of one land, as its verb does."""
    items = draft.items
    second = i + 2 + (lower(items, i + 2) == "the")
    single = lower(items, start - 2) in ("is", "was", "has", "does") and lower(items, 0) in QUESTION
    if not single or lower(items, i + 1) != "and" or not 0 < second < len(items) - 1:
        return i
    other, hop = items[second], draft.hops[-1]
    if not isinstance(other, int) or other < 0 or other in hop.slots or items[second + 1] in ("'s", "’s"):
        return i
    draft.hops[-1] = replace(hop, template=f"{hop.template} and {{{other}}}", others=(*hop.others, other))
    return second


def _is_predicate(items: Sequence[Item], start: int) -> bool:
    """Whether a phrase says what another thing is or became, so that it names nothing new: "when did the town of X
    become | the seat of Y", "how long was X | the seat of Y"."""
    determined = has_article(items, start)
    verb = start - 1 - determined
    if isinstance(items[verb], int):
        return determined and verb > 1 and lower(items, verb - 1) in PASSIVE  # not "is X | the father of Y"
    named = any(isinstance(item, int) for item in items[: max(verb, 0)])  # "what city became | the seat of Y" seeks it
    became = (
        named and lower(items, verb) in _BECOMING and lower(items, verb - 1) not in ("who", "what", "which", "that")
    )
    return lower(items, start) == "becoming" or (verb > 0 and became)


def _is_asked(items: list[Item], start: int, end: int, verb: str) -> bool:
    """Whether a participle is the question's own verb: "when was the law | enacted in X"."""
    if lower(items, start - 2) in _DO and not verb.endswith(("ing", "ed")):
        return True  # "when did the stalemate | happen in X"
    return lacks_verb(items, start - 2, end)


def _complement_follows(items: list[Item], i: int) -> bool:
    """Whether a possessive, which binds closer, still follows the name."""
    return i + 1 < len(items) and items[i + 1] in ("'s", "’s")


def _names_relation(phrase: list[str], preposition: str, determined: bool) -> bool:
    lowered = [w.lower() for w in phrase]
    if all(w in FUNCTION_WORDS for w in lowered) or lowered[-1] in ("part", "one", "kind", "type", "name", "instance"):
        return False
    if preposition != "of" and (lowered[-1] in verbs() or lowered[-1].endswith("ed")):
        return False
    known = find_relation(" ".join(lowered).replace("_", " ")) is not None or lowered[-1] in kinship_terms()
    typed = lowered[-1] in head_types() or lowered[-1].removesuffix("s") in head_types()
    return determined or known or typed if preposition == "of" else determined and (known or typed or len(phrase) > 1)


def _is_part(phrase: list[str]) -> bool:
    """Whether a noun phrase names a part or an aspect rather than something with a name: the tower of a lighthouse."""
    if find_relation(" ".join(phrase).replace("_", " ")) or phrase[-1] in kinship_terms():
        return False
    return answer_type(phrase, None)[0] == ANY


def _participle(draft: Draft) -> bool:
    """``the NP founded by X``, ``the NP containing X``, ``the NP located in X``."""
    items = draft.items
    for i in range(len(items) - 1, 1, -1):
        slot = items[i]
        if not isinstance(slot, int) or _complement_follows(items, i):
            continue
        verb = i - 2 if lower(items, i - 1) in ("by", "in", "at", "from", "after", "to", "for", "on", "with") else i - 1
        word = lower(items, verb) if verb > 0 else ""
        participle = (verb == i - 2 and (word.endswith("ed") or word in verbs())) or (
            verb == i - 1 and word.endswith("ing") and len(word) > 5
        )
        if not participle or word in AUXILIARY or isinstance(items[verb - 1], int):
            continue
        start = phrase_start(items, verb, 5)
        if start == verb or not has_article(items, start):
            continue
        if word != "bordering" and _is_asked(items, start, i, word):
            continue  # which nothing ever is at the moment: "in which county is the city bordering X"
        noun = [w.lower() for w in items[start:verb] if isinstance(w, str)]
        words = [w.lower() for w in items[start:i] if isinstance(w, str)]
        if word in _PLAYING and (played := _played(draft, slot, words, i + 1)):
            items[start : played[1]] = [played[0]]
            drop_determiner(items, start)
            return True
        target = draft.add(f"{' '.join(words)} {{{slot}}}", [slot], [*words, "x"], noun)
        items[start : i + 1] = [target]
        drop_determiner(items, start)
        return True
    return False
