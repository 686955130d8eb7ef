"""Questions in other languages than English stay whole, and get the sentences that bear on them."""

from __future__ import annotations

import pytest

from clew.agent.abstain import FOUND, UNKNOWN
from clew.agent.policies.reader.policy import ReaderPolicy
from clew.questions.grammar import is_foreign, plan
from clew.types import Passage, Step

MILL = "Die Mühle Ormtal wurde von Käthe Weiß gebaut."


@pytest.mark.parametrize(
    "question",
    [
        "Qui a bâti le phare d’Alda ?",
        "Wer baute den Leuchtturm Aldafels?",
        "Was kostet die Mühle Ormtal?",
        "¿Quién construyó el faro de Alda?",
        "Quanto costa il biglietto?",
        "Wie heeft de toren van Alda gebouwd?",
        "Kto zbudował wieżę w Aldzie?",
        "Ποιος έχτισε τον Πύργο Άλδα;",
        "من بنى منارة حلب؟",
        "מי בנה את מגדל חיפה?",
        "谁建造了青山灯塔？",
        "青山灯台を建てたのは誰ですか？",
        "청산 등대를 지은 사람은 누구입니까?",
        "जयपुर मीनार किसने बनाई?",
        "ใครเป็นเจ้าของเขื่อน",
        "Построена ли плотина в 1934 году?",
        "La digue est-elle fermée ?",
        "Wurde der Damm 1934 geflutet?",
        "Erzähl mir etwas über die Geschichte und den Bau.",
    ],
)
def test_a_question_in_another_language_stays_whole(question: str) -> None:
    taken = plan(question)
    assert taken.kind == "foreign"
    assert len(taken.hops) == 1
    assert not any(name.split()[0] in {"Wer", "Was", "Wie", "Qui", "Kto", "Quién"} for name in taken.anchors)


@pytest.mark.parametrize(
    "question",
    [
        "Who was it?",
        "Is Alda old?",
        "Alda",
        "",
        "42?",
        "Name all ports.",
        "AI strategy of the port?",
        "MIT fees",
        "Kim Novak films?",
        "Place de la Concorde architect",
        "La Scala",
        "Was the mill sold?",
        "Was lunch served?",
        "Was Die Woche a weekly in the 1990s?",
        "Who valued Edwina Tarrant's pearl necklace?",
        "Does Torvane's yacht line Glintline float?",
    ],
)
def test_english_is_english(question: str) -> None:
    assert not is_foreign(question)


@pytest.mark.parametrize("guess", [False, True])
@pytest.mark.parametrize(
    ("question", "text", "answer"),
    [
        ("Wer baute die Mühle Ormtal?", MILL, FOUND),
        ("谁修复了云台钟楼？", "云台钟楼由石匠马文涛修复。", FOUND),
        ("Wer baute die Mühle Ormtal?", "Tickets are sold at the gate.", UNKNOWN),
    ],
)
def test_it_ends_in_sentences_or_says_that_there_are_none(question: str, text: str, answer: str, guess: bool) -> None:
    policy = ReaderPolicy(guess=guess)
    steps: list[Step] = []
    for _ in range(6):
        turn = policy.act(question, steps)
        read = policy.dialect.parse_turn(turn.text)
        if read.answer:
            break
        steps.append(Step(read.thought, read.query, passages=(Passage("p", "d", "Alda", text, 0, len(text), 1.0),)))
    assert read.answer == answer
    assert [one.title for one in turn.support] == ["Alda"] * (answer == FOUND)
