"""Names taken apart and compared, blocks, and clusters."""

from __future__ import annotations

import time
from collections import Counter

import pytest

from benchmarks.namesakes import make_world
from clew.errors import InputError
from clew.resolution.block import pairs_by_name
from clew.resolution.cluster import MOST, Clusters
from clew.resolution.likeness import Evidence, conflict, likeness, may_be_one, score
from clew.resolution.name import Name, take_apart
from clew.resolution.resolve import ResolutionSettings
from clew.text.names import key

KNOWN = Counter({"john": 9, "joan": 9, "smith": 9, "halford": 6, "quincy": 3, "society": 9})


def name(shown: str) -> Name:
    return take_apart(key(shown), shown)


def kind(a: str, b: str) -> str | None:
    found = likeness(name(a), name(b), KNOWN)
    return found and found[0]


@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [
        ("John Smith", "Dr. John Smith", "same"),
        ("Smith, John", "John Smith", "same"),
        ("The Halford Society", "Halford Society Ltd", "same"),
        ("Müller Society", "Mueller Society", "same"),
        ("U.S.A.", "USA", "same"),
        ("John Smith", "Jhon Smith", "typo"),
        ("John Quincy Smith", "J. Q. Smith", "initials"),
        ("J. Smith", "Smith John", "initials"),
        ("John Quincy Smith", "John Smith", "dropped"),
        ("International Society of Radio Astronomy", "ISRA", "acronym"),
        ("Apollo 11", "Apollo 12", None),
        ("Henry IV", "Henry VI", None),
        ("Second Halford Society", "Third Halford Society", None),
        ("John Smith Jr.", "John Smith Sr.", None),
        ("Mr. Smith Halford", "Mrs. Smith Halford", "same"),
        ("North Halford", "South Halford", None),
        ("Upper Halford", "Halford", None),
        ("John Smith", "John Halford", None),
        ("John Smith and Joan Halford", "John Halford", None),
        ("M.A", "Ma", None),
        ("MA", "Ma The", None),
    ],
)
def test_names_are_alike_in_one_way_or_not_at_all(a: str, b: str, expected: str | None) -> None:
    assert kind(a, b) == kind(b, a) == expected


def weight(a: str, b: str) -> float:
    found = likeness(name(a), name(b), KNOWN)
    assert found is not None
    return score(found[1])


def test_what_tells_namesakes_apart_weighs() -> None:
    assert weight("John Smith", "Dr. John Smith") > 0.95
    assert weight("John Smith", "Joan Smith") < 0.3 < 0.8 < weight("John Smith", "Jhon Smith")
    assert weight("John Smith", "John Smith Jr.") < 0.4
    assert weight("Queen Halford Smith", "Countess Halford Smith") < 0.8
    assert kind("King of Halford", "Duke of Halford") is None
    assert not may_be_one(name("John Smith"), name("Joan Smith"), KNOWN)
    assert may_be_one(name("Jhon Smith"), name("John Smtih"), KNOWN)
    assert conflict(name("Expedition 3"), name("Expedition 4")) == "other numbers"


def test_evidence_adds_up_to_a_probability() -> None:
    assert score([]) == 0.5
    assert 0 < score([Evidence(-99, "x")]) < 0.001 < 0.999 < score([Evidence(99, "x")]) <= 1


def test_a_duplicate_shares_a_block_and_pairs_grow_with_the_names() -> None:
    sizes = []
    for things in (500, 2000):
        world = make_world(things, seed=3)
        names = [take_apart(one, one) for one in world.things]
        rows = {one.key: row for row, one in enumerate(names)}
        pairs = pairs_by_name(names)
        of_thing: dict[int, list[int]] = {}
        for one, thing in world.things.items():
            of_thing.setdefault(thing, []).append(rows[one])
        true = [(min(a, b), max(a, b)) for same in of_thing.values() for a in same[:1] for b in same[1:]]
        assert sum(pair in pairs for pair in true) > 0.85 * len(true)
        sizes.append(len(pairs) / len(names))
    assert sizes[1] < 3 * sizes[0]


def test_a_block_that_everything_falls_into_costs_no_square() -> None:
    names = [
        take_apart(f"john {a}{b} smith", f"John {a}{b} Smith") for a in "abcdefghijklmnopqrst" for b in "aeiou" * 20
    ]
    began = time.perf_counter()
    assert len(pairs_by_name(names)) < 60 * len(names)
    assert time.perf_counter() - began < 20


def test_a_cluster_takes_nothing_that_does_not_fit_all_of_it() -> None:
    clusters = Clusters([(3, 4)])

    def fits(a: int, b: int) -> bool:
        return {a, b} != {1, 2}

    clusters.unite(1, 0)
    assert not clusters.may_unite(0, 2, fits)
    assert clusters.may_unite(0, 5, fits)
    clusters.unite(3, 5)
    assert not clusters.may_unite(4, 5, fits)
    assert clusters.are_apart(4, 3)
    assert not clusters.together(0, 3)
    assert sorted(clusters.members(1)) == [0, 1]
    for row in range(10, 10 + MOST):
        clusters.unite(10, row)
    assert not clusters.may_unite(10, 0, fits)


def test_a_world_is_the_same_for_the_same_seed() -> None:
    one, other = make_world(300, seed=5), make_world(300, seed=5)
    assert one == other
    assert one != make_world(300, seed=6)
    assert len(set(one.made.values())) > 6
    assert set(one.made) <= set(one.things)


def test_thresholds_that_make_no_sense_are_refused() -> None:
    with pytest.raises(InputError, match="Thresholds"):
        ResolutionSettings(automatic=0.3, suggest=0.5)
