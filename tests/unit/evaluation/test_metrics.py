"""Metrics against values worked out by hand."""

from __future__ import annotations

import pytest

from clew.embedding import load_embedder
from clew.evaluation.datasets import Support
from clew.evaluation.metrics import (
    all_recall_at_k,
    answer_recall_at_k,
    exact_match,
    f1,
    f1_graphrag_r1,
    normalize_answer,
    r_s,
    recall_at_k,
    right,
    sbert,
)
from clew.settings import load_settings

TOWER = Support("Old Maren Light", "The Old Maren Light was designed by Ruben Calloway and first lit in 1809.")
SCHOOL = Support("Ansby School", "It was founded in 1854 by Solveig Oberg. Its first head was a painter of harbours.")
OTHER = ("Old Maren Light", "A storm took its lantern away, and for ten years no ship found the bay at night.")


@pytest.mark.parametrize(
    ("text", "normal"),
    [
        ("The  Lord of the Rings!", "lord of rings"),
        ("a.b.c", "abc"),
        ("An apple, A DAY", "apple day"),
        ("Theatre and Anna", "theatre and anna"),
        ("The The", ""),
        ("50-60 Königs", "5060 königs"),
    ],
)
def test_normalisation_is_that_of_squad(text: str, normal: str) -> None:
    assert normalize_answer(text) == normal


@pytest.mark.parametrize(
    ("answer", "golds", "em", "token_f1"),
    [
        ("the Eiffel Tower", ["Eiffel tower."], 1.0, 1.0),
        ("Paris, France", ["Paris"], 0.0, 2 / 3),
        ("in Paris", ["Lyon", "Paris in France"], 0.0, 4 / 5),
        ("new new york", ["new york new york"], 0.0, 6 / 7),
        ("new new new", ["new york"], 0.0, 2 / 5),
        ("Rome", ["Paris"], 0.0, 0.0),
        ("", ["Paris"], 0.0, 0.0),
        ("", [""], 0.0, 0.0),
        ("  ", ["the"], 0.0, 0.0),
        ("The The", ["the the "], 1.0, 1.0),
        ("the", ["The The"], 0.0, 0.0),
        ("a", ["!"], 0.0, 0.0),
        ("Paris", ["the"], 0.0, 0.0),
        ("Paris", [], 0.0, 0.0),
    ],
)
def test_exact_match_and_f1(answer: str, golds: list[str], em: float, token_f1: float) -> None:
    assert exact_match(answer, golds) == em
    assert f1(answer, golds) == pytest.approx(token_f1)


@pytest.mark.parametrize(
    ("answer", "golds", "score"),
    [
        ("True", ["yes"], 1.0),
        ("no", ["False"], 1.0),
        ("False", ["yes"], 0.0),
        ("yes it is", ["yes"], 0.0),
        ("noanswer", ["the noanswer"], 1.0),
        ("noanswer", ["noanswer at all"], 0.0),
        ("True love", ["love"], 2 / 3),
        ("yes", ["yes indeed", "Yes."], 1.0),
        ("", ["no"], 0.0),
    ],
)
def test_f1_of_graphrag_r1_knows_yes_and_no(answer: str, golds: list[str], score: float) -> None:
    assert f1_graphrag_r1(answer, golds) == pytest.approx(score)


@pytest.mark.parametrize(
    ("plain", "typographic"),
    [
        ("Maeve O'Brien", "Maeve O\u2019Brien"),
        ("'Maeve' O'Brien ...", "\u2039Maeve\u203a O\u02bcBrien \u2026"),
        ("1912-1918", "1912\u20131918"),
        ("2019-05-04", "2019\u201105\u201104"),
        ('"Red Buoy"', "\u201cRed Buoy\u201d"),
        ('"Red Buoy"', "\u00abRed Buoy\u00bb"),
        ("Jean-Luc Roy", "Jean\u2011Luc Roy"),
        ("M\u00fcller", "Mu\u0308ller"),
        ("-5 °C", "\u22125\u202f°C"),
        ("12 500 m", "12\u00a0500\u2009m"),
        ("Old Mill", "Old\u200b Mi\u00adll"),
        ("final report", "\ufb01nal report"),
    ],
)
def test_typographic_signs_and_composed_letters_are_no_difference(plain: str, typographic: str) -> None:
    for answer, gold in ((plain, typographic), (typographic, plain)):
        assert exact_match(answer, [gold]) == f1(answer, [gold]) == right(answer, [gold]) == 1.0
        assert right(answer, [gold], every=True) == 1.0
        assert answer_recall_at_k([f"It is {answer}."], [gold], 1) == 1.0


def test_recall_counts_supporting_passages_among_the_first_k() -> None:
    ranked = [OTHER, (TOWER.title, TOWER.text), ("Ansby School", SCHOOL.text)]
    both = [TOWER, SCHOOL]
    assert [recall_at_k(ranked, both, k) for k in (1, 2, 3, 9)] == [0.0, 0.5, 1.0, 1.0]
    assert [all_recall_at_k(ranked, both, k) for k in (1, 2, 3, 9)] == [0.0, 0.0, 1.0, 1.0]
    assert recall_at_k([(TOWER.title, TOWER.text)] * 2, both, 2) == 0.5
    assert recall_at_k([], both, 5) == 0.0


@pytest.mark.parametrize(
    ("title", "text", "score"),
    [
        ("ansby  school", "It was founded in 1854 by Solveig Oberg.", 1.0),
        ("Ansby School", f"Before. {SCHOOL.text} After it, many more.", 1.0),
        ("Ansby School", "Its first head was a painter of harbours. He left in 1870 to paint.", 1.0),
        ("Ansby School", SCHOOL.text.replace("1854", "1845"), 0.0),
        ("Ansby School", "His heir sold it. It was founded in 1854 by Solveig Oberg.", 1.0),
        ("Ansby School", "Many years later it was sold by the town, and is a hotel today.", 0.0),
        ("Old Maren Light", SCHOOL.text, 0.0),
        ("Ansby School", "It was", 0.0),
        ("Ansby School", "", 0.0),
    ],
)
def test_a_chunk_counts_for_the_passage_it_is_a_part_of(title: str, text: str, score: float) -> None:
    assert recall_at_k([(title, text)], [SCHOOL], 1) == score


def test_recall_of_nothing_is_refused() -> None:
    with pytest.raises(ValueError, match="supporting passages"):
        recall_at_k([OTHER], [], 5)
    for measure in (recall_at_k, all_recall_at_k):
        with pytest.raises(ValueError, match="at least 1"):
            measure([OTHER], [TOWER], 0)
    with pytest.raises(ValueError, match="at least 1"):
        answer_recall_at_k(["x"], ["x"], -1)


@pytest.mark.parametrize(
    ("answers", "k", "score"),
    [
        (["Ruben Calloway"], 1, 0.0),
        (["Ruben Calloway"], 2, 1.0),
        (["nobody", "the ruben calloway."], 2, 1.0),
        (["Ben Calloway"], 2, 0.0),
        (["180"], 2, 0.0),
        (["1809"], 2, 1.0),
        (["yes"], 2, None),
        (["No."], 2, None),
        (["Ruben Calloway", "NO", "yes"], 2, 1.0),
        (["Norway", "NO", "NOR", "no"], 2, 0.0),
        (["The"], 2, None),
        ([], 2, None),
    ],
)
def test_answer_recall_looks_for_whole_words(answers: list[str], k: int, score: float | None) -> None:
    assert answer_recall_at_k([OTHER[1], TOWER.text], answers, k) == score


def test_similarities_of_knowledge_and_of_answers() -> None:
    embedder = load_embedder(load_settings(_env_file=None))
    a, b, far = "The lighthouse was lit in 1809.", "In 1809 the light first shone.", "Add two eggs and stir."
    one, two = embedder.embed([a, b])
    assert r_s([a], [b], embedder) == pytest.approx(float(one @ two), abs=0.02)
    assert r_s([a, b], [b, a], embedder) == pytest.approx(1.0, abs=1e-3)
    near, off = r_s([a], [b], embedder), r_s([far], [b], embedder)
    assert near is not None
    assert off is not None
    assert 0.0 <= off < near <= 1.0
    assert r_s([], [b], embedder) == 0.0
    assert r_s([a], [], embedder) is None
    assert sbert("Paris", ["Rome", "Paris"], embedder) == pytest.approx(1.0, abs=1e-3)
    assert 0.0 <= sbert("Add two eggs and stir.", ["Ruben Calloway"], embedder) < 0.5
    assert sbert(" ", [" "], embedder) == 0.0
    assert sbert("Paris", [], embedder) == 0.0


@pytest.mark.parametrize(
    ("answer", "golds", "score"),
    [
        ("19 metres", ["44 metres"], 0),
        ("44 m", ["44 metres"], 1),
        ("0.044 km", ["44 metres"], 1),
        ("44 kg", ["44 metres"], 0),
        ("44", ["44 metres"], 1),
        ("€2,600 per month", ["€2,600"], 1),
        ("1 April 2022", ["2022"], 1),
        ("2021", ["1 April 2022"], 0),
        ("Agnes Verrill", ["Verrill", "A. Verrill"], 1),
        ("Samuel Ruck", ["Agnes Verrill"], 0),
        ("", ["Agnes Verrill"], 0),
        ("", [], 1),
        ("Agnes Verrill", [], 0),
    ],
)
def test_numbers_are_right_as_numbers_and_no_answer_where_there_is_none(
    answer: str, golds: list[str], score: float
) -> None:
    assert right(answer, golds) == score
