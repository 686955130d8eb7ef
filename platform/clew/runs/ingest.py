"""An ingest as a job: what is to be read lies in the job's folder until it has been, and each item has a state.

``python -m clew.runs.ingest FOLDER`` is the work; a short one is done by a process that stays for the next. What it
has written stays when it is stopped or killed, and the next start goes on from there.
"""

from __future__ import annotations

import re
import sys
import threading
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from clew.child import python_module
from clew.errors import ClewError, InputError
from clew.ingest.fetch import is_address, without_secrets
from clew.ingest.originals import keep
from clew.llm.connections import connected
from clew.runs.folder import read_json, write_json
from clew.runs.job import Job, forget_old, new_folder, start
from clew.text.paths import unambiguous
from clew.types import Document, Json, Skipped

if TYPE_CHECKING:
    from clew.documents.isolated import Reader
    from clew.extraction.estimate import Estimate
    from clew.extraction.extractor import LlmExtractor
    from clew.ingest.pipeline import Progress
    from clew.knowledge_base import KnowledgeBase
    from clew.settings import Settings

KIND = "ingest"
EXTRACTORS = ("sentences", "llm", "hybrid")
ItemState = Literal["waiting", "reading", "extracting", "done", "failed", "left"]
"""``left``: a budget was spent before it was its turn."""

SHORT = 20
"""Files and addresses of an ingest that does not wait for longer ones, at most."""
TOGETHER = 50
"""Documents that are written at a time, so that it is seen how far it is."""
STAY = "--stay"

_MOST_WARNINGS = 20
_LOOKUP = 500
_TELL_SECONDS = 0.4
_READ_AHEAD = 20_000_000


@dataclass(frozen=True, slots=True)
class Upload:
    """A file's content and name; ``source`` is the source of the document that it replaces, if it does.

    ``warnings`` are shown with what comes of it.
    """

    name: str
    data: bytes
    source: str = ""
    warnings: tuple[str, ...] = ()


@dataclass(slots=True)
class Item:
    """One file or address, and how far it is.

    ``source`` is empty for an upload that replaces nothing but what has its name, and ``file`` for what is no upload.
    ``documents`` have been read of it, of ``total`` where that is known, and ``written`` are in the graph, with so many
    ``facts`` and mentions of ``entities``. ``reason`` says why it failed, ``warnings`` what of it was left out.
    ``settled`` turns true when it need not be looked at again.
    """

    name: str
    source: str
    file: str = ""
    bytes: int = 0
    state: ItemState = "waiting"
    total: int = 0
    documents: int = 0
    written: int = 0
    facts: int = 0
    entities: int = 0
    began: float = 0.0
    ended: float = 0.0
    reason: str = ""
    warnings: list[str] = field(default_factory=list)
    settled: bool = False

    @property
    def share(self) -> float:
        """How much of it is in the graph, from 0 to 1."""
        if self.state in ("done", "failed"):
            return 1.0
        return self.written / max(self.total, self.documents, 1)

    @property
    def seconds(self) -> float:
        """How long it has been worked on."""
        return max(0.0, (self.ended or time.time()) - self.began) if self.began else 0.0


def start_ingest(
    settings: Settings,
    kb: str,
    uploads: Iterable[Upload] = (),
    sources: Sequence[str] = (),
    *,
    extractor: str = "sentences",
    budget: str = "",
    allow_private: bool = True,
    rejected: Sequence[Skipped] = (),
    gone: Sequence[str] = (),
    encoding: str | None = None,
) -> Job:
    """Start to bring uploads, and files or addresses, into a knowledge base; returns at once.

    Ingests run one after the other, those of up to ``SHORT`` items and no model beside the longer ones. ``extractor``
    and ``budget`` are those of ``clew ingest``. The uploads are kept, for the owner alone, until they have been read;
    ``rejected`` is what its starter has refused, to be shown beside
    what comes in. ``gone`` are ids of documents to delete once the others are there. ``encoding`` is what texts are
    written in, where it would be guessed wrong. Raises InputError where there is nothing to do or an option makes no
    sense, SettingsError where a model is needed and none is set up.
    """
    from clew.ingest.load import check_encoding
    from clew.knowledge_base import check_name

    check_name(kb)
    check_extraction(connected(settings, kb), extractor, budget)
    check_encoding(encoding)
    forget_old(settings, KIND)
    items: list[Item] = []
    folder = new_folder(settings, KIND)
    (folder / "uploads").mkdir(mode=0o700)
    for number, upload in enumerate(uploads):
        file = f"uploads/{number:05d}"
        (folder / file).write_bytes(upload.data)
        name = upload.name.encode("utf-8", "backslashreplace").decode()
        lines = upload.data.strip().count(b"\n") + 1 if name.lower().endswith((".jsonl", ".ndjson")) else 0
        items.append(Item(name, upload.source, file, len(upload.data), total=lines, warnings=list(upload.warnings)))
    wanted = list(dict.fromkeys(sources))
    short = iter(unambiguous([Path(source).as_posix() for source in wanted if not is_address(source)]))
    for source in wanted:
        name = without_secrets(source) if is_address(source) else next(short)
        size = 0 if is_address(source) or not Path(source).is_file() else Path(source).stat().st_size
        items.append(Item(name, source, bytes=size))
    job = Job(folder)
    if not items:
        job.delete()
        raise InputError("There is nothing to bring in: choose files, or give http(s) addresses.")
    for skipped in rejected:
        items.append(Item(skipped.source, "", state="failed", reason=skipped.reason, settled=True))
    plan = {
        "kb": kb,
        "extractor": extractor,
        "budget": budget,
        "allow_private": allow_private,
        "gone": list(gone),
        "encoding": encoding,
    }
    write_json(folder / "plan.json", plan)
    job.write_progress({"items": [asdict(item) for item in items]})
    few = len(items) <= SHORT and extractor == "sentences"
    return start(
        KIND,
        python_module("clew.runs.ingest", str(folder)),
        folder,
        about={"kb": kb, "items": len(items), "extractor": extractor},
        queue=f"{KIND}-short" if few else KIND,
        stays=python_module("clew.runs.ingest", STAY) if few else (),
    )


def items_of(job: Job) -> list[Item]:
    """The files and addresses of an ingest, as they stand now."""
    return [Item(**row) for row in job.progress.get("items", ())]


def retry(job: Job, *numbers: int) -> None:
    """Read some items again (all that failed where none is named), and what was not finished. Raises InputError."""
    if job.running:
        raise InputError("It is still running: wait until it has ended, or cancel it.")
    progress = job.progress
    for number, row in enumerate(progress.get("items", ())):
        if row["state"] == "failed" and can_retry(Item(**row)) and (not numbers or number in numbers):
            row |= {"state": "waiting", "reason": "", "warnings": [], "settled": False, "ended": 0.0}
    job.write_progress(progress)
    job.resume()


def can_retry(item: Item) -> bool:
    """Whether there is something to read of an item, so that a second try makes sense."""
    return bool(item.file or item.source)


def worth_a_retry(item: Item) -> bool:
    """Whether a second try may end otherwise: an upload stays what it is, unless reading it took too much."""
    return bool(re.search(r"\b(memory|seconds)\b", item.reason)) if item.file else bool(item.source)


def check_extraction(settings: Settings, extractor: str, budget: str) -> None:
    """Raises InputError or SettingsError where these options cannot work."""
    from clew.extraction.client import needs_model
    from clew.llm.pace import Budget

    if extractor not in EXTRACTORS:
        raise InputError(f"{extractor[:40]!r} is no extractor: use {', '.join(EXTRACTORS)}.")
    limit = Budget.parse(budget) if budget else None
    if extractor == "sentences":
        return
    needs_model(settings)
    if extractor == "hybrid" and limit is None:
        raise InputError("A model that adds to what is there needs a budget, such as 200k tokens or 25%.")
    if extractor == "llm" and limit and limit.share:
        raise InputError("Give the budget of a model in tokens (200k) or money ($2.50), not as a share.")
    if limit and limit.cost and not (settings.llm_input_price or settings.llm_output_price):
        raise InputError("A budget in money needs prices: set CLEW_LLM_INPUT_PRICE and CLEW_LLM_OUTPUT_PRICE.")


def estimate_ingest(
    settings: Settings, kb: str, uploads: Iterable[Upload], sources: Sequence[str] = (), *, allow_private: bool = True
) -> Estimate:
    """What it would take to extract all of this by the model of the settings; reads, and asks nothing."""
    from clew.extraction.client import needs_model
    from clew.extraction.estimate import estimate
    from clew.extraction.journal import Journal
    from clew.ingest.load import load, load_bytes
    from clew.ingest.split import chunks

    needs_model(settings)

    def found() -> Iterator[Document | Skipped]:
        for upload in uploads:
            yield from load_bytes(upload.data, upload.name, kb=kb, settings=settings, source=upload.source or None)
        yield from load(sources, kb=kb, settings=settings, allow_private=allow_private)

    documents = ((one, list(chunks(one, settings.chunk_chars))) for one in found() if isinstance(one, Document))
    return estimate(documents, settings, Journal.of(settings))


def _small(item: Item) -> bool:
    """Whether an item may be read before its turn, as a whole: no file of the machine, which may be of any size."""
    return bool(item.file or is_address(item.source)) and item.bytes <= _READ_AHEAD


class Work:
    """The work of one start: the documents of all items that are not settled, and what became of them."""

    def __init__(self, job: Job, base: KnowledgeBase) -> None:
        self.job, self.base = job, base
        self.plan: Json = read_json(job.folder / "plan.json") or {}
        self.items = items_of(job)
        self.model: LlmExtractor | None = None
        self.status: Json = {"stage": "read"}
        self._lock = threading.Lock()
        self._pending: dict[str, tuple[Item, str]] = {}

    def run(self) -> None:
        """Bring everything in. Raises ClewError; what was written until then stays."""
        from clew.extraction.extractor import LlmExtractor
        from clew.extraction.refine import refine, spent
        from clew.llm.pace import Budget

        base, settings = self.base, self.base.settings
        check_extraction(settings, self.plan["extractor"], self.plan["budget"])
        limit = Budget.parse(self.plan["budget"]) if self.plan["budget"] else None
        todo = [item for item in self.items if not item.settled]
        for item in todo:
            item.documents = item.written = item.facts = item.entities = 0
            item.state = "waiting"
        if self.plan["extractor"] == "llm":
            self.model = LlmExtractor(
                settings, budget=limit, spent=spent(base.database, base.name), on_wait=self._waiting
            )
        with self._telling():
            report = base.ingest_documents(
                self._documents(todo), extractor=self.model, on_progress=self._progress, together=TOGETHER
            )
            self._look()
            stopped = report.stopped
            if self.plan["extractor"] == "hybrid" and limit:
                self.status |= {"stage": "refine"}
                embedder, database = base.encoder()
                extraction, stopped = refine(
                    database, embedder, base.name, settings, limit, self._refined, self._waiting
                )
                self.status["extraction"] = asdict(extraction)
            self._settle(todo, report.stopped)
            removed = 0 if stopped else base.delete_known(self.plan.get("gone", ()))
            self.status |= {
                "stage": "done",
                "stopped": stopped,
                "created": {"documents": report.documents, "facts": report.hyperedges, "entities": report.entities},
                "unchanged": report.unchanged,
                "removed": report.removed + removed,
                "replaced": report.replaced,
            }

    def _documents(self, todo: Sequence[Item]) -> Iterator[Document | Skipped]:
        from clew.ingest.parallel import read_several

        several = read_several(todo, self._load, _small, self.base.settings.parse_timeout)
        with closing(several):
            for item, items in several:
                for found in items:
                    self._note(item, found)
                    yield found
                with self._lock:
                    item.total = item.documents
                    if not item.documents:
                        item.state, item.ended, item.warnings = "failed", time.time(), []
                    elif item.state == "reading":
                        item.state, item.reason = "extracting", ""

    def _note(self, item: Item, found: Document | Skipped) -> None:
        """Note a document that has been read of an item, or what of it was left out."""
        notes = (found.reason,) if isinstance(found, Skipped) else found.notes
        with self._lock:
            item.warnings += notes[: _MOST_WARNINGS - len(item.warnings)]
            if isinstance(found, Document):
                item.documents += 1
                self._pending[found.id] = (item, found.sha256)
            elif not found.note:
                item.reason = found.reason

    def _load(self, item: Item, reader: Reader) -> Iterator[Document | Skipped]:
        from clew.ingest.load import load, load_bytes

        base, encoding = self.base, self.plan.get("encoding")
        with self._lock:
            item.state, item.began = "reading", time.time()
        if not item.file:
            return load(
                [item.source],
                kb=base.name,
                settings=base.settings,
                allow_private=bool(self.plan["allow_private"]),
                encoding=encoding,
                reader=reader,
            )
        try:
            data = (self.job.folder / item.file).read_bytes()
        except OSError:
            return iter([Skipped(item.source, "Its upload is gone: choose the file again.")])
        return load_bytes(
            data,
            item.name,
            kb=base.name,
            settings=base.settings,
            source=item.source or None,
            encoding=encoding,
            reader=reader,
        )

    def _progress(self, progress: Progress) -> None:
        self.status |= {"stage": progress.stage, "characters": progress.characters, "waits": ""}
        self._look()

    def _refined(self, chunks: int, facts: int) -> None:
        self.status |= {"refined": chunks, "model_facts": facts, "waits": ""}

    def _waiting(self, why: str) -> None:
        self.status |= {"waits": why}

    def _look(self) -> None:
        """See which documents have reached the graph in this version, and what it has of them."""
        with self._lock:
            waiting = {id: sha256 for id, (_, sha256) in self._pending.items()}
        recipe = f"{self.model.name}/" if self.model else ""
        ids = list(waiting)
        for first in range(0, len(ids), _LOOKUP):
            rows = [{"id": id, "sha256": waiting[id]} for id in ids[first : first + _LOOKUP]]
            for row in self.base.database.read("document/written", kb=self.base.name, documents=rows, recipe=recipe):
                with self._lock:
                    item, _ = self._pending.pop(row["id"])
                    item.written += 1
                    item.facts += row["facts"]
                    item.entities += row["entities"]
                    item.ended = time.time()
                    if item.state == "extracting" and item.written >= item.documents:
                        item.state = "done"

    def _settle(self, todo: Sequence[Item], stopped: str) -> None:
        """What is done need not be done again, and its upload is an original; what failed stays, to be tried again."""
        from clew.ingest.load import storable

        for item in todo:
            if stopped and item.written < max(1, item.documents) and item.state != "failed":
                item.state = "left"
                continue
            if item.state != "failed":
                item.state = "done"
                if not item.facts:
                    item.warnings.append("No facts were found in it.")
                if item.file:
                    source = item.source or f"upload:{storable(item.name)}"
                    with suppress(FileNotFoundError):
                        keep(self.base.settings, self.base.name, source, self.job.folder / item.file)
            item.settled = True

    @contextmanager
    def _telling(self) -> Iterator[None]:
        """Tell a few times a second how far it is, and once more in the end."""
        ended = threading.Event()

        def say() -> None:
            while not ended.is_set():
                began = time.monotonic()
                self._tell()
                ended.wait(max(_TELL_SECONDS, 10 * (time.monotonic() - began)))

        thread = threading.Thread(target=say, name="clew-tell", daemon=True)
        thread.start()
        try:
            yield
        finally:
            ended.set()
            thread.join()
            self._tell()

    def _tell(self) -> None:
        with self._lock:
            if self.model:
                self.status["extraction"] = asdict(self.model.report())
            self.job.write_progress({**self.status, "items": [asdict(item) for item in self.items]})


def do(job: Job) -> int:
    """Do the work of a job; the exit code."""
    from clew.knowledge_base import KnowledgeBase
    from clew.settings import load_settings

    try:
        kb = str(job.about["kb"])
        with KnowledgeBase.open(kb, settings=connected(load_settings(), kb)) as base:
            Work(job, base).run()
    except ClewError as error:
        print(error)
        return error.exit_code
    except KeyboardInterrupt:
        print("It was cancelled.")
        return 130
    return 0


def main() -> None:
    """Do the work of the job in the folder that is named, or stay for the jobs of a queue (``clew.runs.warm``)."""
    if sys.argv[1] != STAY:
        sys.exit(do(Job(Path(sys.argv[1]))))
    from clew.runs.warm import stay
    from clew.settings import load_settings

    with suppress(KeyboardInterrupt):
        stay(Path(sys.argv[2]), sys.argv[3], do, 60 * load_settings().warm_minutes)


if __name__ == "__main__":
    main()
