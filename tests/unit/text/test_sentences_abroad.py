"""Sentences of other languages than English: abbreviations, ordinals, units at the end, and marks of their own."""

from __future__ import annotations

import pytest

from clew.text.sentences import sentences


def _split(text: str) -> list[str]:
    return [text[start:end] for start, end in sentences(text)]


@pytest.mark.parametrize(
    "text",
    [
        "Den Umbau leitete die Fa. Sommer aus Ulm, vgl. Abb. 4 und Abs. 7.",
        "Das Archiv liegt in der Kantstr. 9 und öffnete am 4. 7. 1988 wieder.",
        "Mme. Faure et Mlle. Roux ont relu l'art. 9.",
        "La Sra. Ibarra vive en la Av. Colón, núm. 44.",
        "Il sig. Fermi e la dott.ssa Neri abitano qui.",
        "Biuro mieści się przy ul. Wąskiej, a kieruje nim inż. Zając.",
        "Dům navrhl Ing. Král, viz čl. 9.",
        "Музей стоит на ул. Садовой, им руководит проф. Белов.",
        "Музей стоїть на вул. Садовій.",
        "Ο κ. Ρήγας και η κα. Ρήγα ήρθαν.",
        "Dhr. Bakker en mevr. Visser kwamen.",
        "GS. Phạm Minh sống ở TP. Huế.",
        "Bw. Omari na Bi. Zuhura walikuja.",
        "डॉ. कविता राव यहाँ रहती हैं।",
        "เขาเกิดเมื่อ พ.ศ. 2488 และเป็น ดร. คนแรก",
    ],
)
def test_what_is_written_short_ends_no_sentence(text: str) -> None:
    assert _split(text) == [text]


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("Театр открыли в 1934 г. Рядом вырос парк.", 2),
        ("Teatr otwarto uroczyście w 1934 r. Obok powstał park.", 2),
        ("Церковь построили в начале XVII в. Она сгорела.", 2),
        ("В 1934 г. Москва росла.", 1),
        ("W 1934 r. Gdynia rosła.", 1),
        ("La presa tiene más de 88 m. Mide mucho.", 2),
        ("Πού είναι το θέατρο; Είναι στη Σύρο.", 2),
        ("Το θέατρο έκλεισε; το λιμάνι όχι.", 1),
        ("He is on the red. Many are.", 2),
        ("It is on the street. Mary said no. Nine left.", 3),
    ],
)
def test_where_a_sentence_ends(text: str, parts: int) -> None:
    assert len(_split(text)) == parts
