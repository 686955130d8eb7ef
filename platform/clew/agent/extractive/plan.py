"""A question taken apart: its hops, what is compared, and the words that are still to be read."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from clew.agent.extractive.answer_types import ANY, KIND, answer_type, of_another_sort
from clew.agent.extractive.between import SUPERLATIVE
from clew.agent.extractive.casting import asks_for
from clew.agent.extractive.direction import inverted, oriented
from clew.agent.extractive.lexicon import Relation, find_relation, head_types, relations, vocabulary
from clew.agent.extractive.negation import asks_what_is_not
from clew.agent.extractive.told import asks_span

Item = str | int
"""A word of the question, or the number of a slot."""

YES_NO = "yes or no"
DEFINITION = "definition"
MEANING = "meaning"
MANNER = "manner"
FITTING = "whether it fits"
KINDS = "what it is"
WHOLE = (YES_NO, DEFINITION, MEANING, MANNER, FITTING, KINDS)
"""Answer types that a whole hop decides on instead of a span; the last two of them are asked of each of two things."""


_PLAYED = frozenset(
    "cast performer team league home_venue sport instrument position detention end_date publication_date".split()
)
"""Relations that may use *play* and its like of something else than a role, or of a role as they are."""

_LIES = re.compile(
    r"(?:what|which) (?:(?!in\b|is\b|are\b|was\b|were\b)[\w'-]+ )+?(?:of (?:the )?x )?(?:is|are|was|were) "
    r"(?:\w+ly )?(?:located|situated|based|found|headquartered) (?:in|at|on|near) (?:the )?x"
)
_ROLE_OF = re.compile(r"(?:the )?x (?:is|was|are|were) (?:(?:the|an?|also) )*([\w' -]+?) of (?:what|which) ")
_APPOINTED = re.compile(
    r"\bwho (?:is|was|were|has been|had been) named (?!after\b|for\b|in\b)(?:as |to be |the |an? )*[a-z]"
)
"""A question for somebody who was appointed, not for a namesake: "who was named chief of X"."""
_NO_TIMES = ("part_of", "platform", "series")
"""Relations whose words a question for a date may have: "when did X become | part of Y"."""
_CAPITAL_OF = re.compile(r"(?:what|which)\b(?: [\w-]+)* (?:is|was|are|were) x (?:also )?(?:the|an?) [\w -]+ of\b(?! x)")
"""A question for that of which a named town is the capital: "which county is X the capital of"."""


_ASKS_OBJECT = re.compile(
    r"(?:what|which) (?:country|nation) (?:did|does|do|has) "
    r".*\b(?!(?:in|from|to|of|for|at|on|with|by|belong|represent)$)[a-z]+ ?\??"
)
"""A question for the country that something happens to, which is not its own: "which country did X conquer"."""


@dataclass(frozen=True, slots=True)
class Hop:
    """One relation to look up: ``template`` is the sub-question with ``{n}`` for slot n, ``slots[0]`` its subject.

    ``term`` is the word for a relative, such as *grandson*, at the last one of the hops that stand for it.
    """

    template: str
    slots: tuple[int, ...]
    target: int
    relation: Relation | None
    expects: str
    head: str = ""
    others: tuple[int, ...] = ()
    term: str = ""

    @property
    def negated(self) -> bool:
        """Whether it asks for what is not so, which no sentence tells."""
        return asks_what_is_not(self.template)

    def text(self, values: dict[int, str]) -> str:
        """The sub-question with its slots filled in."""
        text = self.template
        for slot in (*self.slots, *self.others):
            text = text.replace(f"{{{slot}}}", values.get(slot, ""))
        return " ".join(text.split())


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two options and what is compared: ``attribute`` names the relation, ``pick`` which side wins or what is decided.

    Where it is ``both``, ``which`` or ``shared`` (``pairs``), the attribute is what is said of them, or the noun asked.

    An age is a comparison of one thing with itself, its birth and its death.

    ``left`` and ``right`` are the slots whose values are compared; for ``lifespan`` each side has a second slot.
    ``claimed`` where the question is whether the first option wins.
    """

    options: tuple[int, int]
    attribute: str
    pick: str
    left: tuple[int, ...]
    right: tuple[int, ...]
    claimed: bool = False


@dataclass(frozen=True, slots=True)
class Plan:
    """A question as hops over slots: the names it mentions are slots 0 … n−1, the hops fill the following ones.

    ``misspelt`` are names that the question has in other letters than the documents: as written, and as meant.
    """

    question: str
    anchors: tuple[str, ...]
    hops: tuple[Hop, ...]
    hints: dict[int, str] = field(default_factory=dict)
    comparison: Comparison | None = None
    misspelt: tuple[tuple[str, str], ...] = ()

    def leads_on(self, hop: Hop) -> bool:
        """Whether another hop asks of what this one finds."""
        return any(hop.target in (*later.slots, *later.others) for later in self.hops)


@dataclass(slots=True)
class Draft:
    """A plan in the making: the remaining items, and the hops found so far; ``lead`` are the words of a time that the
    question begins with."""

    items: list[Item]
    slots: int
    hops: list[Hop] = field(default_factory=list)
    hints: dict[int, str] = field(default_factory=dict)
    parts: dict[int, tuple[str, int]] = field(default_factory=dict)
    lead: str = ""

    def part(self, words: Sequence[str], slot: int) -> int:
        """A slot for a part of something (*the lens of X*): no hop of its own, X stays what is asked about."""
        number = -1 - len(self.parts)
        self.parts[number] = (f"{' '.join(words)} {{{slot}}}", slot)
        return number

    def words(self, item: Item) -> list[str]:
        """An item in lower case, a name as ``x``, a part of something by its words."""
        if isinstance(item, str):
            return [item.lower()]
        return ["x"] if item >= 0 else [*self.parts[item][0].split()[:-1], *self.words(self.parts[item][1])]

    def add(self, template: str, slots: Sequence[int], words: Sequence[str], noun: Sequence[str] = ()) -> int:
        """Append a hop and return the slot that it fills; ``words`` decide on its relation and answer type.

        ``noun`` is what is sought where a participle follows it: the *journal* of "journal edited by".
        """
        lowered = [w.lower() for w in words]
        relation = find_relation(" ".join(lowered).replace("_", " "))
        expects, head = answer_type(lowered, relation)
        if noun:
            kind, head = answer_type(noun, None)
            expects = kind if kind != ANY else relation.type if relation and lowered[-2] != "by" else ANY
        if (
            relation
            and relation.type == "person"
            and (role := _ROLE_OF.match(" ".join(lowered)))
            and find_relation(role.group(1)) is relation
        ):
            relation = inverted(relation.name)  # "X was the designer of which village": whose X was
            expects, head = answer_type(lowered, None)
        if relation and head and not noun and of_another_sort(lowered, head, relation):
            relation, expects = None, ANY
        if relation and relation.name in _NO_TIMES and expects == "date":
            relation = None
        if relation and relation.name == "capital" and _CAPITAL_OF.match(" ".join(lowered)):
            relation = inverted(relation.name)
        if "where" in lowered and relation and relation.type in ("person", "number", "date"):
            relation = None
        if relation and relation.type in ("person", "place", "organisation") and {"when", "why"} & set(lowered):
            relation = None
        if relation and relation.name == "named_after" and _APPOINTED.search(" ".join(lowered)):
            relation = None
            expects, head = answer_type(lowered, None)
        if relation and relation.type == "event" and expects == "person":
            relation = None  # "which general fought in X"
        if relation and relation.name == "country" and _ASKS_OBJECT.fullmatch(" ".join(lowered)):
            relation = None
        if relation and relation.name == "located" and head and _LIES.match(" ".join(lowered)):
            relation, expects = None, answer_type(lowered, None)[0]  # which one lies there, not where
        if relation and relation.name == "located" and head and SUPERLATIVE.search(" ".join(lowered)):
            relation = None
        if expects == KIND:
            return self.append(template, slots, None, expects, head)
        relation = oriented(relation, expects if head or "who" in lowered else "", lowered)
        if relation is not None and relation.name not in _PLAYED and (cast := asks_for(template)):
            relation = relations()["cast"] if cast == "actor" else None
        if relation is not None and relation.name == "body_of_water" and head not in head_types():
            expects, head = relation.type, "body of water"
        if relation is not None and relation.name == "team" and head in ("league", "conference", "division"):
            relation = relations()["league"]
        if head in ("team", "club") and (relation is None or relation.name == "member_of"):
            relation = relations()["team"]
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
        told = set(template.lower().split())
        if expects == "person" and relation is None and {"who", "whom"} & told and told & vocabulary("powers"):
            expects = "agent"
        if expects in (ANY, "date", "number") and asks_span(template.lower()):
            expects, head = "date", "span"
        self.hops.append(Hop(template, tuple(slots[:1]), self.slots, relation, expects, head, tuple(slots[1:])))
        self.slots += 1
        return self.slots - 1


def lower(items: Sequence[Item], i: int) -> str:
    """The word at place ``i`` in lower case; empty where there is a slot, or nothing."""
    if not 0 <= i < len(items):
        return ""
    item = items[i]
    return item.lower() if isinstance(item, str) else ""


def sentence(items: Sequence[Item]) -> str:
    """The items as a template: its slots in braces, words and marks as they are written."""
    text = " ".join(f"{{{x}}}" if isinstance(x, int) else x.replace("_", " ") for x in items)
    return _CLINGING.sub(r"\1", text).replace("( ", "(")


_CLINGING = re.compile(r" ((?:['’]s\b|['’](?= )|[,)]))")
"""What stands right behind the word before it."""
