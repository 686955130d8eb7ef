"""Ctrl-C, and the button that cancels a job, while an evaluation runs and once all of it is measured."""

from __future__ import annotations

import os
import signal

import pytest

from clew.cli.evaluate_run import INTERRUPTED, finishing, kept


class Measured:
    """A run of which some questions are done."""

    name = "answers-x"

    def __init__(self, done: int) -> None:
        self._done = done

    def done(self) -> int:
        return self._done


def interrupt(done: int, *, judged: bool = False) -> None:
    with kept(Measured(done), 3, False, judged=judged):  # type: ignore[arg-type]
        raise KeyboardInterrupt


def test_what_is_interrupted_after_its_last_question_goes_on_to_its_figures() -> None:
    interrupt(3)


@pytest.mark.parametrize(("done", "judged"), [(2, False), (3, True)])
def test_what_is_interrupted_before_ends_and_says_what_is_kept(
    done: int, judged: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        interrupt(done, judged=judged)
    assert ended.value.code == INTERRUPTED
    assert f"keeps {done} of 3" in capsys.readouterr().err


def test_figures_are_written_whatever_comes_while_they_are() -> None:
    with finishing():
        os.kill(os.getpid(), signal.SIGINT)
    with pytest.raises(KeyboardInterrupt):
        os.kill(os.getpid(), signal.SIGINT)
