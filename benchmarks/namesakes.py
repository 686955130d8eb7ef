"""A made-up world of people, organisations, places and expeditions, whose names are written in several ways.

    python -m benchmarks.namesakes THINGS [--seed 0] > openie.jsonl

``make_world`` gives rows for ``clew import``, and which name is whose. About one thing in four is also named in another
way: with a typing error, initials, without its middle names, in another order, with letters for umlauts, by an acronym,
with a title or a legal form. As many have a namesake that is something else: junior or senior, another number, another
first or middle name, one letter apart. Namesakes may share a place, an employer and a family.
"""

from __future__ import annotations

import argparse
import json
import random
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from clew.text.names import key
from clew.types import Json

GIVEN = """
    John Joan Jon Joanna Mary Maria Mario Marie Paul Paula Pauline Martin Marvin Marta Martha Karl Carl Carla Anna Anne
    Hanna Eric Erik Erica Peter Petra Piotr Frank Franka Louis Louise Luis Thomas Tomas Simon Simone Daniel Daniela
    Henry Henri Harriet Harry Walter Walther Victor Victoria Oscar Oskar Julia Julian Juliane George Georg Georgina
    Robert Roberta Rupert Albert Alberta Adalbert Edward Edwin Edwina Stephen Stefan Stephanie Lukas Lucas Lucy Lucia
    Nora Norah Clara Claire Klara Ines Agnes Otto Ottilie Hugo Hugh Ida Ada Alan Allan Alain Emil Emilia Emily Felix
    Greta Margareta
""".split()
STEMS = """
    Hal Bran Whit Ash Stan Mor Kel Ros Thorn Wick Bar Dun Gar Lind Mar Nor Pem Quil Rad Sel Tar Ul Var Wes Yar Zel Bram
    Cor Del Fen Gris Hol Kra Lor Möl Nür Pök Rüd Sör Tüll
""".split()
ENDS = "ford ley son wood man ton berg ski ova sen dale well field worth stad mark feld hart rup gren".split()
FIELDS = (
    "Deep Sea Mapping|Alpine Botany|Harbour Engineering|Comparative Grammar|Night Photography|Glacier Research|"
    "Civil Ballooning|River Navigation|Medieval Music|Plant Breeding|Radio Astronomy|Bridge Building"
).split("|")
BODIES = "Institute|Society|Federation|Academy|Council|Union|Laboratory|Foundation".split("|")
SIDES = (("Upper", "Lower"), ("North", "South"), ("East", "West"), ("Old", "New"), ("Great", "Little"))
TITLES = ("Dr.", "Professor", "Sir", "Prof.", "Mr.")
VARIED, NAMESAKES = 0.25, 0.25
"""Shares of the things that have another name, and a namesake."""
UNRELATED = 0.15
"""Share of the mentions by another name that share nothing with the other facts of the thing."""


@dataclass(slots=True)
class Thing:
    """Something with names, the first of which is that of its page; ``facts`` are (relation, other, its name)."""

    id: int
    kind: str
    names: list[str]
    year: int
    home: Thing | None = None
    employer: Thing | None = None
    friends: list[Thing] = field(default_factory=list)
    facts: list[tuple[str, str]] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class World:
    """Rows for ``clew import``, the thing that each key is a name of, and how each other name was made."""

    rows: list[Json]
    things: dict[str, int]
    made: dict[str, str]


def make_world(things: int, seed: int = 0) -> World:
    """A world of about so many things; the same for the same seed."""
    return _Maker(random.Random(seed)).world(things)


class _Maker:
    def __init__(self, chance: random.Random) -> None:
        self._chance = chance
        self._things: list[Thing] = []
        self._taken: dict[str, int] = {}
        self._made: dict[str, str] = {}
        self._surnames = [stem + end for stem in STEMS for end in ENDS]
        chance.shuffle(self._surnames)

    def world(self, count: int) -> World:
        kinds = {"place": self._place, "organisation": self._organisation, "expedition": self._expedition}
        for kind, share in (("place", 0.15), ("organisation", 0.15), ("expedition", 0.1)):
            for _ in range(int(count * share)):
                self._add(kind, kinds[kind])
        for _ in range(int(count * 0.6)):
            self._add("person", self._person)
        for one in list(self._things):
            self._settle(one)
        for one in self._chance.sample(self._things, int(NAMESAKES * len(self._things))):
            self._namesake(one)
        for one in self._chance.sample(self._things, int(VARIED * len(self._things))):
            for _ in range(self._chance.choice((1, 1, 2))):
                self._variant(one)
        return World(list(self._pages()), dict(self._taken), dict(self._made))

    def _pick(self, kind: str) -> Thing:
        while True:
            one = self._chance.choice(self._things)
            if one.kind == kind:
                return one

    def _add(self, kind: str, name: Callable[[], str]) -> Thing | None:
        for _ in range(20):
            one = name()
            if key(one) not in self._taken:
                return self._new(kind, one)
        return None

    def _new(self, kind: str, name: str) -> Thing:
        thing = Thing(len(self._things), kind, [name], self._chance.randint(1700, 1990))
        self._things.append(thing)
        self._taken[key(name)] = thing.id
        return thing

    def _surname(self) -> str:
        # The commonest surnames are common, as they are.
        return self._surnames[int(len(self._surnames) * self._chance.random() ** 2)]

    def _person(self) -> str:
        middle = self._chance.choices((0, 1, 2), (4, 5, 1))[0]
        return " ".join([*self._chance.sample(GIVEN, 1 + middle), self._surname()])

    def _place(self) -> str:
        side = f"{self._chance.choice(self._chance.choice(SIDES))} " if self._chance.random() < 0.3 else ""
        end = self._chance.choice(("", "", " Bay", " Bridge", " Heath", "haven", "mouth"))
        return f"{side}{self._surname()}{end}"

    def _organisation(self) -> str:
        place, kind = self._surname(), self._chance.random()
        if kind < 0.2:
            return self._chance.choice((f"University of {place}", f"{place} University"))
        if kind < 0.4:
            return f"{place} and {self._surname()}"
        owner = self._chance.choice(("International ", "Royal ", f"{place} ", f"{place} "))
        return f"{owner}{self._chance.choice(BODIES)} of {self._chance.choice(FIELDS)}"

    def _expedition(self) -> str:
        kind = self._chance.choice(("Expedition", "Voyage", "Treaty", "Line"))
        return f"{self._surname()} {kind} {self._chance.randint(1, 30)}"

    def _settle(self, one: Thing) -> None:
        one.home = self._pick("place")
        one.employer = self._pick("organisation") if one.kind == "person" else None
        one.friends = [self._pick("person") for _ in range(self._chance.randint(1, 3))]

    def _namesake(self, one: Thing) -> None:
        name = one.names[0]
        other = self._other_name(one)
        if other == name or key(other) in self._taken:
            return
        twin = self._new(one.kind, other)
        self._settle(twin)
        if self._chance.random() < 0.3:
            twin.home = one.home
        if self._chance.random() < 0.3:
            twin.employer = one.employer
        if self._chance.random() < 0.2:
            twin.friends[:1] = one.friends[:1]

    def _other_name(self, one: Thing) -> str:
        """A name much like another one's."""
        name, words = one.names[0], one.names[0].split()
        if one.kind == "person":
            return self._other_person(words)
        if one.kind == "expedition":
            return " ".join([*words[:-1], str(int(words[-1]) + self._chance.choice((1, 2, 10)))])
        if one.kind == "place":
            sides = dict(SIDES) | {b: a for a, b in SIDES}
            return " ".join([sides[words[0]], *words[1:]]) if words[0] in sides else f"Upper {name}"
        return name.replace(words[-1], self._surname())

    def _other_person(self, words: list[str]) -> str:
        first, last = words[0], words[-1]
        match self._chance.randrange(4):
            case 0:
                return f"{' '.join(words)} {self._chance.choice(('Jr.', 'Sr.', 'Jr'))}"
            case 1:
                near = [given for given in GIVEN if given != first and given[:2] == first[:2]]
                return " ".join([self._chance.choice(near or GIVEN), *words[1:]])
            case 2:
                initial = [given for given in GIVEN if given[0] == first[0] and given != first]
                return " ".join([self._chance.choice(initial or GIVEN), *words[1:-1], last])
            case _:
                return " ".join([first, self._chance.choice(GIVEN), last])

    def _variant(self, one: Thing) -> None:
        ways = [self._typing_error, self._plain_letters]
        if one.kind == "person":
            ways += [self._initials, self._initials, self._dropped, self._reordered, self._titled]
        elif one.kind == "organisation":
            ways += [self._acronym, self._acronym, self._legal, self._article]
        for _ in range(10):
            way = self._chance.choice(ways)
            name = way(one.names[0])
            if name and key(name) and key(name) not in self._taken:
                self._taken[key(name)] = one.id
                self._made[key(name)] = way.__name__[1:]
                one.names.append(name)
                return

    def _typing_error(self, name: str) -> str:
        words = name.split()
        long = [n for n, word in enumerate(words) if len(word) > 4 and word.isalpha()]
        if not long:
            return ""
        n = self._chance.choice(long)
        word, at = words[n], self._chance.randrange(1, len(words[n]) - 1)
        letter = self._chance.choice("abdefghiklmnoprstuvw")
        words[n] = self._chance.choice(
            (
                word[:at] + word[at + 1] + word[at] + word[at + 2 :],
                word[:at] + word[at + 1 :],
                word[:at] + letter + word[at:],
                word[:at] + letter + word[at + 1 :],
            )
        )
        return " ".join(words)

    def _initials(self, name: str) -> str:
        *given, last = name.split()
        kept = 1 if len(given) > 1 and self._chance.random() < 0.4 else 0
        return " ".join([*given[:kept], *(f"{word[0]}." for word in given[kept:]), last])

    def _dropped(self, name: str) -> str:
        words = name.split()
        return f"{words[0]} {words[-1]}" if len(words) > 2 else ""

    def _reordered(self, name: str) -> str:
        *given, last = name.split()
        if last.startswith(("Jr", "Sr")):
            return ""
        return f"{last}{self._chance.choice((',', ''))} {' '.join(given)}"

    def _plain_letters(self, name: str) -> str:
        long = name.replace("ö", "oe").replace("ü", "ue")
        return long if long != name else ""

    def _titled(self, name: str) -> str:
        return f"{self._chance.choice(TITLES)} {name}"

    def _acronym(self, name: str) -> str:
        words = [word for word in name.split() if word not in ("of", "and")]
        return "".join(word[0] for word in words) if len(words) > 2 else ""

    def _legal(self, name: str) -> str:
        return f"{name} {self._chance.choice(('Ltd', 'Inc.', 'GmbH', 'Limited'))}"

    def _article(self, name: str) -> str:
        return f"The {name}"

    def _pages(self) -> Iterator[Json]:
        """A page of everything by its first name; other names stand on pages of others."""
        triples: defaultdict[int, list[tuple[str, str, str]]] = defaultdict(list)
        for one in self._things:
            name = one.names[0]
            own = triples[one.id]
            if one.home:
                own.append((name, "was founded in" if one.kind != "person" else "was born in", one.home.names[0]))
            own.append((name, "was born in" if one.kind == "person" else "was founded in", str(one.year)))
            if one.employer:
                own.append((name, "works for", one.employer.names[0]))
            own += [(name, "corresponds with", friend.names[0]) for friend in one.friends]
            for other in one.names[1:]:
                for _ in range(self._chance.randint(1, 3)):
                    page, triple = self._mention(one, other)
                    triples[page.id].append(triple)
            if self._chance.random() < 0.5:
                page, triple = self._mention(one, name)
                triples[page.id].append(triple)
        for one in self._things:
            sentences = list(dict.fromkeys(triples[one.id]))
            text = " ".join(f"{' '.join(triple)}." for triple in sentences)
            yield {"title": one.names[0], "text": text, "triples": [list(triple) for triple in sentences]}

    def _mention(self, one: Thing, name: str) -> tuple[Thing, tuple[str, str, str]]:
        """A sentence on the page of something that the thing has to do with, or of anything."""
        near = [thing for thing in (one.home, one.employer, *one.friends) if thing]
        if self._chance.random() < UNRELATED or not near:
            page = self._chance.choice(self._things)
            return page, (page.names[0], "was once compared with", name)
        page = self._chance.choice(near)
        return page, (page.names[0], "is remembered with", name)


def main() -> None:
    """Print the rows of a world."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("things", type=int)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    for row in make_world(options.things, options.seed).rows:
        print(json.dumps(row, ensure_ascii=False))


if __name__ == "__main__":
    main()
