"""Questions in other languages: who did it, when, and how many, where a sentence leaves no choice."""

from __future__ import annotations

import pytest

from clew.agent.abroad import told_abroad
from clew.questions.abroad import asked_abroad
from clew.questions.grammar import plan


@pytest.mark.parametrize(
    ("question", "sentence", "expected"),
    [
        ("Qui a bâti le phare d’Alda ?", "Le phare d’Alda fut bâti en 1840 par Zoë Renard.", "Zoë Renard"),
        (
            "Wer baute den Leuchtturm Aldafels?",
            "Der Leuchtturm Aldafels wurde 1840 von Käthe Weiß gebaut.",
            "Käthe Weiß",
        ),
        ("¿Quién construyó el faro de Alda?", "El faro de Alda fue construido por Inés Peña.", "Inés Peña"),
        ("¿Cuándo se abrió el faro de Alda?", "El faro de Alda se abrió en 1840.", "1840"),
        ("Quanto costa il biglietto?", "Il biglietto costa 8 euro.", "8 euro"),
        ("Wie heeft de toren van Alda gebouwd?", "De toren van Alda werd gebouwd door Geert Bos.", "Geert Bos"),
        ("Kto zbudował wieżę w Aldzie?", "Wieżę w Aldzie zbudowała Zofia Bąk.", "Zofia Bąk"),
        ("Кто построил маяк Альды?", "Маяк Альды был построен Верой Орловой.", "Верой Орловой"),
        ("Ποιος έχτισε τον Πύργο Άλδα;", "Ο Πύργο Άλδα χτίστηκε από την Ελένη Παππά.", "Ελένη Παππά"),
        ("من بنى منارة حلب؟", "بنيت منارة حلب عام 1840 على يد ليلى حداد.", "ليلى حداد"),
        ("מי בנה את מגדל חיפה?", "מגדל חיפה נבנה בשנת 1840 על ידי רות לוי.", "רות לוי"),
        ("谁建造了青山灯塔？", "青山灯塔由王芳于1840年建造。", "王芳"),
        ("青山灯台を建てたのは誰ですか？", "青山灯台は1840年に田中一郎によって建てられた。", "田中一郎"),
        ("청산 등대를 지은 사람은 누구입니까?", "청산 등대는 1840년에 이영희가 지었다.", "이영희"),
        ("जयपुर मीनार किसने बनाई?", "जयपुर मीनार 1840 में मीरा शर्मा ने बनाई।", "मीरा शर्मा"),
    ],
)
def test_the_only_one_that_a_sentence_names(question: str, sentence: str, expected: str) -> None:
    assert told_abroad(question, plan(question).anchors, sentence) == expected


@pytest.mark.parametrize(
    ("question", "sentence"),
    [
        ("Qui a bâti le phare d’Alda ?", "Il se trouve près de Molde."),
        ("Qui a bâti le phare d’Alda ?", "Le phare d’Alda fut bâti par Zoë Renard et vendu par Luc Petit."),
        ("¿Cuándo se abrió el faro de Alda?", "El faro de Alda se abrió en 1840 y se cerró en 1901."),
        ("谁建造了青山灯塔？", "它位于人民路。"),
        ("Who built Alda?", "Alda was built by Zoë Renard."),
    ],
)
def test_nothing_is_told_where_there_is_a_choice_or_another_subject(question: str, sentence: str) -> None:
    assert told_abroad(question, plan(question).anchors, sentence) == ""


@pytest.mark.parametrize(
    "question", ["Who was it?", "Is Alda old?", "Where is it?", "Alda", "", "42?", "Name all ports."]
)
def test_english_is_not_abroad(question: str) -> None:
    assert asked_abroad(question) is None
