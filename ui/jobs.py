"""A question being answered while the page is drawn anew.

It has a thread of its own that never touches Streamlit; the page looks at the fields a few times a second.
"""

from __future__ import annotations

import logging
import threading
import time
import uuid
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from clew.errors import ClewError
from clew.trajectories.conversations import join_conversation
from clew.types import Step, Trajectory

if TYPE_CHECKING:
    from clew import KnowledgeBase

PATIENCE = 2.0

_log = logging.getLogger(__name__)


@dataclass(slots=True)
class Asking:
    """A question on its way to its answer: the turns so far, and what is being written or looked up now.

    ``id`` is that of its trajectory, so that an address can name the question before it is answered.
    ``opened`` is one that was answered before and is opened again.
    """

    question: str
    id: str = field(default_factory=lambda: uuid.uuid4().hex)
    started: float = field(default_factory=time.monotonic)
    steps: list[Step] = field(default_factory=list)
    writing: str = ""
    thought: str = ""
    query: str = ""
    note: str = ""
    trajectory: Trajectory | None = None
    opened: bool = False
    error: ClewError | None = None
    done: threading.Event = field(default_factory=threading.Event)
    stopped: threading.Event = field(default_factory=threading.Event)
    abandoned: float = 0.0

    @property
    def over(self) -> bool:
        """Whether there is nothing more to wait for; a model that stays silent after a stop is not waited for."""
        return self.done.is_set() or (self.stopped.is_set() and time.monotonic() > self.abandoned)

    def stop(self) -> None:
        """End it as soon as the policy writes something, or else in ``PATIENCE`` seconds."""
        self.abandoned = time.monotonic() + PATIENCE
        self.stopped.set()

    def start(
        self,
        base: KnowledgeBase,
        *,
        policy: str,
        strategy: str,
        k: int,
        history: Sequence[tuple[str, str]],
        model: str | None = None,
        filter: Sequence[str] = (),
        conversation: str = "",
    ) -> None:
        """Begin; ``history`` holds earlier questions with their answers, the others are as in ``KnowledgeBase.ask``.

        ``conversation`` is the id of the first question of those that this one follows.
        """

        def work() -> None:
            try:
                self._follow(base, policy, strategy, k, history, model, filter)
                if self.trajectory and conversation != self.id:
                    join_conversation(base.database, base.name, self.id, conversation)
            except ClewError as error:
                self.error = error
            except Exception:
                _log.exception("A question failed")
                self.error = ClewError("Something unforeseen went wrong; the app's log says what. Ask again.")
            finally:
                self.done.set()

        threading.Thread(target=work, name="clew-asking", daemon=True).start()

    def _follow(
        self,
        base: KnowledgeBase,
        policy: str,
        strategy: str,
        k: int,
        history: Sequence[tuple[str, str]],
        model: str | None,
        filter: Sequence[str],
    ) -> None:
        from clew.agent.loop import Delta, Finished, Note, Queried, Stepped

        for event in base.stream(
            self.question,
            policy=policy,
            strategy=strategy,
            model=model,
            k=k,
            filter=filter,
            history=history,
            should_stop=self.stopped.is_set,
            id=self.id,
        ):
            match event:
                case Delta(text=text):
                    self.writing += text
                case Queried(thought=thought, query=query):
                    self.writing, self.thought, self.query = "", thought, query
                case Stepped(step=step):
                    self.steps.append(step)
                    self.writing = self.thought = self.query = self.note = ""
                case Note(text=text, retry=retry):
                    self.note = text
                    self.writing = "" if retry else self.writing
                case Finished(trajectory=trajectory):
                    self.trajectory = trajectory
