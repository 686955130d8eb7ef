"""Work that goes on while the page is drawn anew: a question being answered, documents being brought in.

Each has a thread of its own that never touches Streamlit; the page looks at the fields a few times a second.
"""

from __future__ import annotations

import logging
import threading
import time
import uuid
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from clew.errors import ClewError
from clew.types import Document, IngestReport, Skipped, Step, Trajectory

if TYPE_CHECKING:
    from clew import KnowledgeBase
    from clew.ingest.pipeline import Progress

PATIENCE = 2.0

_log = logging.getLogger(__name__)


@dataclass(slots=True)
class Asking:
    """A question on its way to its answer: the turns so far, and what is being written or looked up now."""

    question: str
    id: str = field(default_factory=lambda: uuid.uuid4().hex[:12])
    started: float = field(default_factory=time.monotonic)
    steps: list[Step] = field(default_factory=list)
    writing: str = ""
    thought: str = ""
    query: str = ""
    note: str = ""
    trajectory: Trajectory | None = None
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
        self, base: KnowledgeBase, *, policy: str, strategy: str, k: int, history: Sequence[tuple[str, str]]
    ) -> None:
        """Begin; ``history`` holds earlier questions with their answers."""

        def work() -> None:
            try:
                self._follow(base, policy, strategy, k, history)
            except ClewError as error:
                self.error = error
            except Exception:
                _log.exception("A question failed")
                self.error = ClewError("Something unforeseen went wrong; the app's log says what. Ask again.")
            finally:
                self.done.set()

        threading.Thread(target=work, name="clew-asking", daemon=True).start()

    def _follow(
        self, base: KnowledgeBase, policy: str, strategy: str, k: int, history: Sequence[tuple[str, str]]
    ) -> None:
        from clew.agent.loop import Delta, Finished, Note, Queried, Stepped

        for event in base.stream(
            self.question, policy=policy, strategy=strategy, k=k, history=history, should_stop=self.stopped.is_set
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


@dataclass(frozen=True, slots=True)
class Upload:
    """A file that was handed to the page."""

    name: str
    data: bytes


@dataclass(slots=True)
class Ingesting:
    """Files and addresses on their way into a knowledge base; ``read`` counts those that have been loaded."""

    kb: str
    uploads: Sequence[Upload] = ()
    sources: Sequence[str] = ()
    rejected: tuple[Skipped, ...] = ()
    allow_private: bool = True
    started: float = field(default_factory=time.monotonic)
    read: int = 0
    loaded: int = 0
    progress: Progress | None = None
    report: IngestReport | None = None
    error: ClewError | None = None
    done: threading.Event = field(default_factory=threading.Event)
    stopped: threading.Event = field(default_factory=threading.Event)

    @property
    def total(self) -> int:
        """How many files and addresses there are."""
        return len(self.uploads) + len(self.sources)

    @property
    def share(self) -> float:
        """How much is done, from 0 to 1: a fifth for reading, the rest for what is written of what was read."""
        if self.report:
            return 1.0
        read = self.read / max(1, self.total)
        written = self.progress.done / max(1, self.loaded) if self.progress else 0.0
        return min(1.0, 0.2 * read + 0.8 * min(1.0, written) * read)

    def start(self, base: KnowledgeBase) -> None:
        """Begin; what was written stays if it is stopped."""

        def work() -> None:
            try:
                report = base.ingest_documents(self._documents(base), on_progress=self._tell)
                skipped = (*self.rejected, *report.skipped)
                self.report = replace(report, skipped=skipped)
            except ClewError as error:
                self.error = error
            except Exception:
                _log.exception("An ingest failed")
                self.error = ClewError("Something unforeseen went wrong; the app's log says what. Start again.")
            finally:
                self.uploads = ()
                self.done.set()

        threading.Thread(target=work, name="clew-ingesting", daemon=True).start()

    def _tell(self, progress: Progress) -> None:
        self.progress = progress

    def _documents(self, base: KnowledgeBase) -> Iterator[Document | Skipped]:
        from clew.ingest.load import load, load_bytes

        for upload in self.uploads:
            yield from self._counted(load_bytes(upload.data, upload.name, kb=base.name, settings=base.settings))
        for source in self.sources:
            yield from self._counted(
                load([source], kb=base.name, settings=base.settings, allow_private=self.allow_private)
            )

    def _counted(self, items: Iterator[Document | Skipped]) -> Iterator[Document | Skipped]:
        for item in items:
            if self.stopped.is_set():
                return
            self.loaded += isinstance(item, Document)
            yield item
        self.read += 1
