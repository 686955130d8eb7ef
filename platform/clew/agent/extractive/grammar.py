"""Takes a question apart into hops: the innermost relation first, each hop answered before the one around it.

The rules look at the order of words only: possessives (``X's father``), *of*-phrases (``the director of X``), relative
clauses (``the country where X is found``), participles (``the firm founded by X``), and what then remains as the outer
question. Names are slots, and so is each hop's answer; a slot that a hop fills is a bridge.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

from clew.agent.extractive.anchors import Anchor, Token, find_anchors, tokens
from clew.agent.extractive.answer_types import ANY, answer_type
from clew.agent.extractive.lexicon import Relation, find_relation, head_types, kinship, relations, vocabulary
from clew.ingest.names import FUNCTION_WORDS

Item = str | int
"""A word of the question, or the number of a slot."""

ROUNDS = 8
"""Reductions of one question, at most."""

_AUXILIARY = frozenset(
    "is are was were be been did does do has have had can could will would may might should must".split()
)
_PREPOSITION = frozenset(
    """of for to in on at from by with near into under after before during since as about behind against over
    than""".split()
)
_RELATIVE = frozenset("that which who where whose whom when".split())
_DETERMINER = frozenset("the a an this that".split())
_VERB = frozenset(
    """born die died dies found live lived work works worked study studied marry married belong belongs come came comes
    go goes went start started begin began end ended win won receive received play plays played write wrote written
    hold held take took make made become became lead led run runs flow flows get got build built locate located called
    named stand stands lie lies open opened close closed attend attended borders border join joined teach taught happen
    leave left serve served own owns use used share shares sing sang fight fought earn earned die publish graduate
    bear rule ruled govern governed keep kept sink sank move moved grow grew invent discover discovered compose direct
    create perform release appear appeared first last most earlier later""".split()
)
_STOP = _AUXILIARY | _PREPOSITION | _RELATIVE | frozenset("and or but if then , ? ! ; : ( ) 's ’s".split())
_FIXED = tuple(
    phrase.split()
    for phrase in """place of birth|place of death|date of birth|date of death|cause of death|country of origin
    country of citizenship|place of burial|city of birth|town of birth|country of birth|year of birth|year of death
    body of water|head of state|head of government|member of parliament|place of work|place of residence
    date of founding|father in law|mother in law""".replace("\n", "|").split("|")
)
_TRIVIAL = frozenset("who what where when is was are were the name of called named which one it".split())


@dataclass(frozen=True, slots=True)
class Hop:
    """One relation to look up: ``template`` is the sub-question with ``{n}`` for slot n, ``slots[0]`` its subject."""

    template: str
    slots: tuple[int, ...]
    target: int
    relation: Relation | None
    expects: str
    head: str = ""
    others: tuple[int, ...] = ()

    @property
    def asks(self) -> str:
        """How a thought names what is sought: the relation's noun, or the head noun of the sub-question."""
        return self.relation.noun if self.relation else self.head or "answer"

    def text(self, values: dict[int, str]) -> str:
        """The sub-question with its slots filled in."""
        text = self.template
        for slot in (*self.slots, *self.others):
            text = text.replace(f"{{{slot}}}", values.get(slot, ""))
        return " ".join(text.split())


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two options and what is compared: ``attribute`` names the relation, ``pick`` which side wins or what is decided.

    ``left`` and ``right`` are the slots whose values are compared; for ``lifespan`` each side has a second slot.
    """

    options: tuple[int, int]
    attribute: str
    pick: str
    left: tuple[int, ...]
    right: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Plan:
    """A question as hops over slots: the names it mentions are slots 0 … n−1, the hops fill the following ones."""

    question: str
    anchors: tuple[str, ...]
    hops: tuple[Hop, ...]
    hints: dict[int, str] = field(default_factory=dict)
    comparison: Comparison | None = None
    verify: str = ""


@dataclass(slots=True)
class Draft:
    """A plan in the making: the remaining items, and the hops found so far."""

    items: list[Item]
    slots: int
    hops: list[Hop] = field(default_factory=list)
    hints: dict[int, str] = field(default_factory=dict)
    parts: dict[int, tuple[str, int]] = field(default_factory=dict)

    def part(self, words: Sequence[str], slot: int) -> int:
        """A slot for a part of something (*the lens of X*): no hop of its own, X stays what is asked about."""
        number = -1 - len(self.parts)
        self.parts[number] = (f"{' '.join(words)} {{{slot}}}", slot)
        return number

    def add(self, template: str, slots: Sequence[int], words: Sequence[str]) -> int:
        """Append a hop and return the slot that it fills; ``words`` decide on its relation and answer type."""
        lowered = [w.lower() for w in words]
        relation = find_relation(" ".join(lowered).replace("_", " "))
        expects, head = answer_type(lowered, relation)
        return self.append(template, slots, relation, expects, head)

    def append(
        self, template: str, slots: Sequence[int], relation: Relation | None, expects: str, head: str = ""
    ) -> int:
        """Append a hop whose relation is known and return the slot that it fills."""
        slots = list(slots)
        while any(slot < 0 for slot in slots):
            for i, slot in enumerate(slots):
                if slot < 0:
                    text, slots[i] = self.parts[slot]
                    template = template.replace(f"{{{slot}}}", text)
        head = head.replace("_", " ")
        self.hops.append(Hop(template, tuple(slots[:1]), self.slots, relation, expects, head, tuple(slots[1:])))
        self.slots += 1
        return self.slots - 1


def prepare(question: str, titles: Collection[str]) -> tuple[list[str], Draft]:
    """The question's names, and its words with slots in their place."""
    words = tokens(question)
    anchors = _names_with_noun(words, find_anchors(question, words, titles), question)
    items = _fix_phrases(_with_slots(words, anchors))
    draft = Draft(items, len(anchors))
    _drop_apposed(draft)
    return [anchor.name for anchor in anchors], draft


def chain(question: str, names: list[str], draft: Draft) -> Plan:
    """The plan of a question that asks for one value: hops, innermost first."""
    for _ in range(ROUNDS):
        if not reduce(draft):
            break
    _outer(draft)
    return Plan(question, tuple(names), tuple(draft.hops), draft.hints)


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


def _with_slots(words: list[Token], anchors: list[Anchor]) -> list[Item]:
    items: list[Item] = []
    starts = {anchor.first: (n, anchor) for n, anchor in enumerate(anchors)}
    i = 0
    while i < len(words):
        if i in starts:
            number, anchor = starts[i]
            items.append(number)
            i = anchor.last
        else:
            items.append(words[i].text)
            i += 1
    while items and isinstance(items[-1], str) and items[-1] in "?.! ":
        items.pop()
    return items


def _fix_phrases(items: list[Item]) -> list[Item]:
    """Make *place of birth* and its like one word, so that their *of* starts no phrase."""
    result: list[Item] = []
    i = 0
    while i < len(items):
        for phrase in _FIXED:
            window = [w.lower() if isinstance(w, str) else "" for w in items[i : i + len(phrase)]]
            if window == phrase:
                result.append("_".join(phrase))
                i += len(phrase)
                break
        else:
            result.append(items[i])
            i += 1
    return result


def _names_with_noun(words: list[Token], anchors: list[Anchor], question: str) -> list[Anchor]:
    """Names that a lower-case noun completes: the *drive* of "the inventor of the Voß drive". After an auxiliary
    ("did X open") and before nothing but the end, the word may as well be the verb, so it stays one."""
    result = []
    for anchor in anchors:
        before = words[anchor.first - 1].text.lower() if anchor.first else ""
        if before in ("the", "a", "an") and anchor.first > 1:
            before = words[anchor.first - 2].text.lower()
        following = [w.text.lower() for w in words[anchor.last : anchor.last + 2]]
        noun = following[0] if following else ""
        fits = (
            noun.isalpha()
            and len(noun) > 2
            and noun not in _STOP | _VERB | FUNCTION_WORDS
            and not noun.endswith(("ed", "ing"))
            and before not in _AUXILIARY | _RELATIVE
            and before not in head_types()
            and (len(following) == 1 or following[1] in _STOP | _VERB or following[1].endswith("ed"))
        )
        if fits:
            end = words[anchor.last].end
            anchor = Anchor(question[words[anchor.first].start : end], anchor.first, anchor.last + 1)
        result.append(anchor)
    return result


def _drop_apposed(draft: Draft) -> None:
    """Drop the type noun before a name (*film X*), and keep it as a hint which of several pages is meant."""
    nouns = vocabulary("apposed", "nouns")
    items = draft.items
    i = 0
    while i < len(items) - 1:
        word, following = items[i], items[i + 1]
        comma = following in (",", ":") and i + 2 < len(items) and isinstance(items[i + 2], int)
        if isinstance(word, str) and word.lower() in nouns and (isinstance(following, int) or comma):
            slot = items[i + 2] if comma else following
            assert isinstance(slot, int)
            before = items[i - 1] if i else ""
            if before not in ("the", "a", "an") or _lower(items, i - 2) in ("of", "by", "is", "in"):
                draft.hints[slot] = word.lower()
                del items[i : i + (2 if comma else 1)]
                if i and items[i - 1] in ("the", "a", "an"):
                    del items[i - 1]
                continue
        i += 1


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
        if isinstance(word, int) or word.lower() in _STOP or word.lower() in _VERB - {"first", "last", "most", "work"}:
            break
        if word.lower().endswith("ed") and phrase and word.lower() not in ("red",):
            break
        phrase.append(word)
    return phrase


def _of_phrase(draft: Draft) -> bool:
    """``[the] NP of X``, the rightmost first; without a determiner the noun phrase must name a relation."""
    items = draft.items
    for i in range(len(items) - 1, 1, -1):
        slot = items[i]
        if not isinstance(slot, int) or not isinstance(items[i - 1], str) or (i >= 2 and isinstance(items[i - 2], int)):
            continue
        preposition = _lower(items, i - 1)
        if preposition == "the" and i > 2 and _lower(items, i - 2) in ("of", "in", "for"):
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
        determined = start > 0 and _lower(items, start - 1) in ("the", "a", "an")
        if not phrase or not _names_relation(phrase, preposition, determined):
            continue
        if preposition != "of" and _lower(items, start - 2) not in (
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
    word = _lower(items, i)
    return (
        word in _DETERMINER
        or word in _STOP
        or word in ("what", "how", "why", "many", "much")
        or (word in _VERB and word not in ("first", "last", "most"))
    )


def _names_relation(phrase: list[str], preposition: str, determined: bool) -> bool:
    lowered = [w.lower() for w in phrase]
    if all(w in FUNCTION_WORDS for w in lowered) or lowered[-1] in ("part", "one", "kind", "type", "name", "instance"):
        return False
    if lowered[-1] in _VERB and preposition != "of":
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
        verb = i - 2 if _lower(items, i - 1) in ("by", "in", "at", "from", "after", "to", "for", "on") else i - 1
        word = _lower(items, verb) if verb > 0 else ""
        participle = (verb == i - 2 and (word.endswith("ed") or word in _VERB)) or (
            verb == i - 1 and word.endswith("ing") and len(word) > 5
        )
        if not participle or word in _AUXILIARY or isinstance(items[verb - 1], int):
            continue
        start = verb
        while (
            start > 0 and verb - start < 5 and isinstance(items[start - 1], str) and not _ends_phrase(items, start - 1)
        ):
            start -= 1
        if start == verb or start == 0 or _lower(items, start - 1) not in ("the", "a", "an"):
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
        if (
            not isinstance(items[i], int)
            or _lower(items, i + 1) not in _AUXILIARY | _VERB
            or _ends_phrase(items, i - 1)
        ):
            continue
        start = i
        while start > 0 and isinstance(items[start - 1], str) and not _ends_phrase(items, start - 1):
            start -= 1
        if start == i or _lower(items, start - 1) not in ("the", "a", "an") or i - start > 3:
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
        word = _lower(items, i)
        if word not in _RELATIVE or i < 2:
            continue
        noun_end = i - 1 if _lower(items, i - 1) in _PREPOSITION | {","} else i
        end = _clause_end(items, i + 1)
        slots = [x for x in items[i:end] if isinstance(x, int)]
        start = noun_end
        while start > 0 and isinstance(items[start - 1], str) and not _ends_phrase(items, start - 1):
            start -= 1
        if not slots or start == noun_end or (start == 0 and noun_end - start == len(items)):
            continue
        noun = [w.lower() for w in items[start:noun_end] if isinstance(w, str)]
        if start and _lower(items, start - 1) in ("what", "which") and word != "whose":
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
        if word in _AUXILIARY:
            if named and verb:
                return i
            continue
        if word in _VERB or word.endswith(("ed", "ing")) or (word in ("part", "member") and named):
            if named and verb and isinstance(items[i - 1], int):
                return i
            verb = True
        elif not named and not verb and word not in _STOP and word not in _DETERMINER:
            verb = True
    return len(items)


def _outer(draft: Draft) -> None:
    """What remains is asked last, unless it only asks who or what the last hop's answer is."""
    items = draft.items
    slots = [x for x in items if isinstance(x, int)]
    rest = [w.lower() for w in items if isinstance(w, str) and w.lower() not in ("'s", "’s", ",", "'", "?", '"')]
    first = rest[0] if rest else ""
    if draft.hops and slots and min(slots) >= 0 and all(w in _TRIVIAL or w in ("did", "does") for w in rest):
        wanted = {"where": ("place", "country", "organisation"), "when": ("date",)}.get(first)
        if wanted is None or draft.hops[-1].expects in wanted:
            return
    slots.sort(key=lambda slot: slot < draft.slots - len(draft.hops))
    words = ["x" if isinstance(x, int) else x.lower() for x in items]
    target = draft.add(_sentence(items), slots, [w for w in words if w not in ("?", '"')])
    if draft.hops[-1].relation is None and first == "where":
        hop = draft.hops.pop()
        draft.hops.append(
            Hop(hop.template, hop.slots, target, relations()["located"], hop.expects, hop.head, hop.others)
        )


def _sentence(items: Sequence[Item]) -> str:
    text = " ".join(f"{{{x}}}" if isinstance(x, int) else x.replace("_", " ") for x in items)
    return text.replace(" 's", "'s").replace(" ,", ",").replace("( ", "(").replace(" )", ")")


def _drop_determiner(items: list[Item], i: int) -> None:
    if i and _lower(items, i - 1) in ("the", "a", "an"):
        del items[i - 1]


def _lower(items: Sequence[Item], i: int) -> str:
    if not 0 <= i < len(items):
        return ""
    item = items[i]
    return item.lower() if isinstance(item, str) else ""
