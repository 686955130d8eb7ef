"""Made negatives do not hold the answer, and differ from the example they are made of in one thing."""

from __future__ import annotations

import random

import pytest

from clew.trainer.reader.items import Item
from clew.trainer.reader.negatives import negatives


def item(number: int) -> Item:
    founder, year = f"Founder{number} Holm", 1800 + number
    context = (
        f"The works lie on a hill above the river. {founder} set up Mill{number} Works in {year}. "
        "Its halls were enlarged later, and the railway reached them after long talks with the county."
    )
    start = context.index(founder)
    question = f"Who set up the Mill{number} Works in {year}?"
    return Item(str(number), question, "", context, ((start, start + len(founder)),), domain="works")


def test_no_negative_holds_its_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("clew.trainer.reader.negatives.CONTRADICTION", 0.0)  # those keep its words
    items = [item(number) for number in range(80)]
    by_id = {one.id: one for one in items}
    made = negatives(items, random.Random(3))
    assert len(made) > 20
    for one in made:
        origin = by_id[one.id]
        assert one.spans == ()
        answer = origin.answers[0]
        if one.question == origin.question:
            assert answer not in one.context
        else:
            assert one.context == origin.context
            changed = set(one.question.split()) - set(origin.question.split())
            assert changed
            assert not any(word.strip("?") in one.context for word in changed)


def test_the_same_seed_makes_the_same() -> None:
    items = [item(number) for number in range(40)]
    assert negatives(items, random.Random(5)) == negatives(items, random.Random(5))
