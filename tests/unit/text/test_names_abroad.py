"""Names in sentences of other languages than English: no articles, pronouns or suffixes, whole after an elision."""

from __future__ import annotations

import pytest

from clew.text.language import language_of
from clew.text.names import FUNCTION_WORDS, capitalised_spans


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Das Stellwerk in Kassel steht unter Schutz.", ["Stellwerk", "Kassel", "Schutz"]),
        ("Es wurde 1934 von Frau Sommer gebaut.", ["1934", "Frau Sommer"]),
        ("Sie kaufte es 2,75 Mal teurer von der Familie Ludwig.", ["Mal", "Familie Ludwig"]),
        ("Les Archives d'Ambert sont à l'Hôtel Dufour.", ["Archives d'Ambert", "Hôtel Dufour"]),
        ("L'Université de Rodez est fermée.", ["Université de Rodez"]),
        ("La Sra. Vega vive en La Rioja con su madre.", ["Sra. Vega", "La Rioja"]),
        ("Nell'Archivio di Parma c'è una lettera all'Accademia.", ["Archivio di Parma", "Accademia"]),
        ("Di Stefano non è a Roma.", ["Di Stefano", "Roma"]),
        ("O navio chegou ao Porto da Barra.", ["Porto da Barra"]),
        ("De brug is van J. van der Meer.", ["J. van der Meer"]),
        ("Она живёт в Казани.", ["Казани"]),
        ("А. Б. Седов был там.", ["А. Б. Седов"]),
        ("Το πλοίο είναι στη Σύρο.", ["Σύρο"]),
        ("Bursa'daki kule Işık'ın oldu.", ["Bursa", "Işık"]),
        ("李雷在Siemens工作。", ["Siemens"]),
        ("그는 Nokia에서 일한다.", ["Nokia"]),
    ],
)
def test_names_in_other_languages(text: str, names: list[str]) -> None:
    assert list(capitalised_spans(text)) == names


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Die Hard is a film of the 1980s.", ["Die Hard", "1980s"]),
        ("La Scala, Los Lobos, Le Mans", ["La Scala", "Los Lobos", "Le Mans"]),
        ("Xi'an saw L'Oréal.", ["Xi'an", "L'Oréal"]),
        ("It was led by Jeanne d'Albret.", ["Jeanne d'Albret"]),
        ("It cost 2,500 Crowns.", ["Crowns"]),
    ],
)
def test_names_in_english_keep_their_articles(text: str, names: list[str]) -> None:
    assert list(capitalised_spans(text)) == names


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("Der Turm ist hoch.", "de"),
        ("La tour est haute.", "fr"),
        ("La torre es alta.", "es"),
        ("La torre è alta.", "it"),
        ("Wieża jest wysoka.", "pl"),
        ("Башня была высокой.", "ru"),
        ("Вежа була високою.", "uk"),
        ("The tower is high.", ""),
        ("El Paso", ""),
        ("塔很高。", ""),
        ("", ""),
    ],
)
def test_small_words_tell_the_language(text: str, code: str) -> None:
    told = language_of(text, FUNCTION_WORDS)
    assert (told.code if told else "") == code
