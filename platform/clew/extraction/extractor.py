"""The extractor ``llm``: n-ary facts by a language model, each checked against the text (Graph-R1 §4.1, eq. 4)."""

from __future__ import annotations

import threading
import time
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass

from clew.errors import BudgetExceededError
from clew.extraction.check import Checked, check
from clew.extraction.client import Client, RefusedError, given_up, needs_model
from clew.extraction.journal import Journal, JournalledReply
from clew.extraction.ontology import load_ontology
from clew.extraction.prompt import Unit, messages, repair_messages, units
from clew.extraction.reply import VERSION, Reply, read_reply
from clew.extraction.sentences import SentenceExtractor
from clew.ingest.extractor import Extraction
from clew.llm.pace import Budget, Pace, Purse
from clew.settings import Settings
from clew.types import Chunk, Document, ExtractedFact, ExtractionReport, Usage

AHEAD = 4
"""Chunks that are under way, for each request that may run at once."""
FAILURES = 5
"""Requests that fail for good one after the other, after which the server counts as down."""


@dataclass(slots=True)
class _Counts:
    chunks: int = 0
    facts: int = 0
    left: int = 0
    repaired: int = 0
    failures: int = 0


class LlmExtractor:
    """Asks the model of the settings for the facts of each chunk, many chunks at once.

    What does not hold is asked for once more, and then dropped. A chunk of which the model gives nothing that holds
    keeps its sentences as facts (``SentenceExtractor``), so that nothing is missing without a word. ``fallback=False``
    leaves such a chunk without facts: where its sentences are in the graph already. ``spent`` is what earlier runs have
    spent of the budget. ``on_wait`` receives, in any thread, why nothing goes on for a while. Raises SettingsError
    where no model is set up.
    """

    def __init__(
        self,
        settings: Settings,
        *,
        budget: Budget | None = None,
        spent: Usage | None = None,
        fallback: bool = True,
        on_wait: Callable[[str], None] = lambda _: None,
    ) -> None:
        needs_model(settings)
        self._ontology = load_ontology(settings.extract_ontology)
        kind = "s" if settings.extract_prompt == "small" else ""
        types = f"-{self._ontology.version}" if self._ontology else ""
        self.name = f"llm-{VERSION}{kind}{types}:{settings.llm_model}"
        self._settings = settings
        self._small = settings.extract_prompt == "small"
        self._journal = Journal.of(settings)
        self._pace = Pace(settings.extract_concurrency)
        purse = Purse(budget or Budget(), spent or Usage())
        self._client = Client(settings, self._journal, purse, self._pace, on_wait)
        self._sentences = SentenceExtractor() if fallback else None
        self._lock = threading.Lock()
        self._counts = _Counts()
        self._dropped: Counter[str] = Counter()
        self._began = time.monotonic()

    def extract(self, document: Document, chunk: Chunk) -> list[ExtractedFact]:
        """The facts of one chunk. Raises ModelError, and BudgetExceededError where the budget is spent."""
        return self._chunk(document, chunk).facts

    def extract_documents(
        self, documents: Iterable[tuple[Document, Sequence[Chunk]]]
    ) -> Iterator[list[Extraction] | None]:
        """The facts of each document's chunks, in order, None where the budget did not last for all of them.

        Raises ModelError, and BudgetExceededError after everything that could be paid for.
        """
        most = self._settings.extract_concurrency
        pool = ThreadPoolExecutor(most, thread_name_prefix="extract")
        waiting: deque[list[Future[Extraction]]] = deque()
        incoming = iter(documents)
        under_way = 0
        exceeded: BudgetExceededError | None = None
        ended = False
        try:
            while True:
                while not exceeded and under_way < AHEAD * most and (following := next(incoming, None)):
                    document, chunks = following
                    waiting.append([pool.submit(self._chunk, document, chunk) for chunk in chunks])
                    under_way += len(chunks)
                if not waiting:
                    break
                found = waiting.popleft()
                under_way -= len(found)
                extractions: list[Extraction] | None = None
                try:
                    extractions = [future.result() for future in found]
                except BudgetExceededError as error:
                    exceeded = exceeded or error
                yield extractions
            ended = True
        finally:
            if not ended:
                self._pace.stop()
            # What is under way is paid for, so it is let in, and kept in the journal.
            pool.shutdown(wait=True, cancel_futures=True)
        if exceeded:
            raise exceeded

    def stop(self) -> None:
        """Let everything that waits end at once."""
        self._pace.stop()

    def report(self) -> ExtractionReport:
        """What has been asked for, given and paid until now."""
        client, counts = self._client, self._counts
        with self._lock:
            return ExtractionReport(
                model=self._settings.llm_model or "",
                chunks=counts.chunks,
                facts=counts.facts,
                left=counts.left,
                repaired=counts.repaired,
                dropped=dict(self._dropped),
                paid=client.paid,
                reused=client.reused,
                lost=client.lost,
                retries=dict(client.retries),
                seconds=time.monotonic() - self._began,
            )

    def _chunk(self, document: Document, chunk: Chunk) -> Extraction:
        facts: list[ExtractedFact] = []
        usage = Usage()
        for unit in units(document, chunk, short=self._small, ontology=self._ontology):
            try:
                found, cost = self._unit(unit)
            except RefusedError as error:
                self._refused(error)
                continue
            facts += found
            usage += cost
        facts = list(dict.fromkeys(facts))
        with self._lock:
            self._counts.chunks += 1
            self._counts.facts += len(facts)
            self._counts.left += not facts
        if not facts and self._sentences:
            facts = self._sentences.extract(document, chunk)
        return Extraction(facts, usage)

    def _unit(self, unit: Unit) -> tuple[list[ExtractedFact], Usage]:
        """The facts of one request, after at most one more that names what was wrong with them."""
        names = dict(enumerate(unit.names, 1))
        first = self._ask(messages(unit), unit)
        reply = read_reply(first.text)
        checked = _check(reply, unit, names)
        if reply is not None and first.whole and not checked.faults:
            return checked.facts, first.usage
        second = self._ask(repair_messages(unit, reply, checked, cut=not first.whole), unit)
        again = read_reply(second.text)
        mended = _check(again, unit, checked.names, checked.types)
        dropped = [fault.kind for fault in mended.faults]
        silent = len(checked.faults) - len(mended.facts) - len(mended.faults)
        dropped += [fault.kind for fault in checked.faults[: max(0, silent)]]
        if again is None and (reply is None or not first.whole):
            dropped.append("json")
        elif not second.whole:
            dropped.append("cut")
        with self._lock:
            self._counts.repaired += len(mended.facts)
            self._dropped.update(dropped)
        return checked.facts + mended.facts, first.usage + second.usage

    def _ask(self, asked: list[dict[str, str]], unit: Unit) -> JournalledReply:
        reply = self._client.ask(asked, len(unit.text))
        with self._lock:
            self._counts.failures = 0
        return reply

    def _refused(self, error: RefusedError) -> None:
        with self._lock:
            self._counts.failures += 1
            self._dropped["refused"] += 1
            if self._counts.failures >= FAILURES:
                raise given_up(error) from error


def _check(reply: Reply | None, unit: Unit, names: dict[int, str], types: dict[int, str] | None = None) -> Checked:
    if reply is None:
        return Checked([], [], names)
    return check(reply, unit.document, unit.start, unit.end, names, unit.ontology, types)
