"""Tables and answers on a terminal, and where another program reads them."""

from __future__ import annotations

import io
from dataclasses import replace

import pytest
from rich.console import Console

from clew.cli.terminal import print_answer
from clew.reporting.terminal import make_console
from clew.types import Citation, Trajectory, Verdict, VerdictKind

ID = "accd295c4556252de647"
ROW = (ID, "A long title " * 30, "/a/long/path" * 30)


@pytest.mark.parametrize(
    ("kind", "word"), [("sure", "Sure"), ("guess", "Guess"), ("found", "Read this"), ("nothing", "Nothing found")]
)
def test_an_answer_says_how_sure_it_is_and_why(
    capsys: pytest.CaptureFixture[str], kind: VerdictKind, word: str
) -> None:
    given = Trajectory("t", "k", "Who built it?", "Orla", True, (), (), "llm", "clew", 1.0)
    print_answer(make_console(stderr=False), replace(given, verdict=Verdict(kind, "A reason [of mine].")))
    shown = capsys.readouterr().out
    assert " = Orla" in shown
    assert f"{word}: A reason [of mine]." in shown


def test_the_likeliest_words_of_a_quote_are_bold() -> None:
    shown = io.StringIO()
    cited = Citation("d", "Ink", 10, 30, "Kees boils oak galls.", spans=((21, 30),))
    given = Trajectory("t", "k", "What boils?", "No value", False, (), (cited,), "reader", "clew", 1.0)
    print_answer(Console(file=shown, force_terminal=True), given)
    assert "Kees boils \x1b[1moak galls\x1b[0m" in shown.getvalue()
