"""Evaluations that are kept: a folder each, filled question by question, so that one that was cut short goes on.

``config.json`` says what is measured, ``records.jsonl`` holds a line for each question as soon as it is done, and
``summary.json`` the figures, once all are. The same configuration finds the same folder again.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import re
import shlex
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from clew.errors import InputError
from clew.evaluation.datasets import QUESTIONS, Question, load_questions
from clew.evaluation.measured_code import code_digest
from clew.files import json_lines, write_whole
from clew.runs.folder import (
    append_lines,
    find_folder,
    held,
    list_folders,
    make,
    read_json,
    read_lines,
    writable,
    write_json,
)
from clew.types import Json

if TYPE_CHECKING:
    from clew.knowledge_base import KnowledgeBase

CONFIG = "config.json"
RECORDS = "records.jsonl"
SUMMARY = "summary.json"

Write = Callable[[Sequence[Json]], None]
"""Append records to a run; a process that is killed once it has returned has not lost them.

Raises InputError where they cannot be written.
"""

_CHARACTERS_PER_TOKEN = 4
_NODES = ("Document", "Chunk", "Hyperedge", "Entity")
_EDGES = ("HAS_CHUNK", "STATES", "CONNECTS")
_SETTINGS = ("top_k", "max_turns", "max_tokens", "max_cost", "dialect", "precision", "reranker")
_MODEL_SETTINGS = ("llm_model", "llm_temperature", "llm_reply_tokens")
_FIELDS = {
    "retrieval": {"ms", "ms_without_embedding", "asked", "warm_up_seconds"},
    "answer": {"policy", "answer", "answered"},
    "verdict": {"policy", "acc_l", "g_e", "faults"},
}
"""What a record of each type has beside what all of them have; those of retrieval do not name theirs."""
_CHANGES = {
    "version": "the knowledge base {kb}",
    "construction": "the knowledge base {kb}",
    "embedder": "the knowledge base {kb}",
    "questions_digest": "the questions",
    "code_digest": "the code",
    "searched": "the code",
    "settings": "the settings ({others})",
}
"""What may differ between two runs of one measurement, so that they are not mixed, and what that is called."""


@dataclass(frozen=True, slots=True)
class Run:
    """A kept evaluation: its folder, and what it measures."""

    folder: Path
    config: Json

    @property
    def name(self) -> str:
        """The folder's name, by which the command line knows the run."""
        return self.folder.name

    def records(self) -> list[Json]:
        """The finished questions, in the order in which they ended; a last line that is torn is left out."""
        mend = "delete the line, and run the evaluation again to fill the gap"
        return read_lines(self.folder / RECORDS, _is_record, mend)

    def done(self) -> int:
        """How many questions are finished, every strategy, policy and wording counted by itself."""
        return sum(record.get("type") != "verdict" for record in self.records())

    def questions(self) -> list[Question]:
        """The questions with their gold answers."""
        return load_questions(self.folder)

    def summary(self) -> Json | None:
        """The figures, or None where the run has not come to its end."""
        return read_json(self.folder / SUMMARY)

    def finish(self, summary: Json) -> None:
        """Keep the figures: the whole file or none. Raises InputError where they cannot be written."""
        with writable(self.folder):
            write_json(self.folder / SUMMARY, summary)

    @contextmanager
    def writing(self) -> Iterator[Write]:
        """Append records, alone.

        Raises InputError where another process fills the same run, or the folder cannot be written.
        """

        def write(records: Sequence[Json]) -> None:
            with writable(self.folder):
                append_lines(self.folder / RECORDS, records)

        with contextlib.ExitStack() as stack:
            with writable(self.folder):
                mine = stack.enter_context(held(self.folder))
            if not mine:
                raise InputError(
                    f"Another process is filling the run {self.name!r}: wait for it, or use --new for a run of its own."
                )
            yield write


def open_run(root: Path, config: Json, questions: Sequence[Question], *, new: bool = False) -> Run:
    """The latest run of this configuration, or with ``new``, or where there is none, a fresh one over ``questions``.

    Raises InputError where ``root`` cannot be written.
    """
    digest = hashlib.sha256(json.dumps(config, sort_keys=True, default=str).encode()).hexdigest()
    stem = "-".join(_slug(config[part]) for part in ("command", "dataset", "kb")) + f"-{digest[:8]}"
    with writable(root):
        kept = _kept(root, stem)
    latest = max(kept, default=0)
    if latest and not new:
        return kept[latest]
    folder = root / _numbered(stem, latest + 1)
    with writable(folder):
        make(folder)
        write_whole(folder / QUESTIONS, json_lines(map(asdict, questions)))
        started = datetime.now(UTC).isoformat(timespec="seconds")
        write_json(folder / CONFIG, {**config, "started": started})
        return Run(folder, json.loads((folder / CONFIG).read_text("utf-8")))


def outdated(root: Path, config: Json) -> tuple[Run, list[str]] | None:
    """The latest run of the same measurement on something else, and what of it has changed since.

    None where there is none, or where this configuration has a run of its own.
    """
    asked: Json = json.loads(json.dumps(config, default=str))
    runs = [run for run in list_runs(root) if run.config.keys() - {"started"} == asked.keys()]
    differing = [(run, {name for name in asked if run.config[name] != asked[name]}) for run in runs]
    if any(not names for _, names in differing):
        return None
    for run, names in differing:
        if names <= _CHANGES.keys():
            old, new = run.config["settings"], asked["settings"]
            others = ", ".join(name for name in old | new if old.get(name) != new.get(name))
            parts = [_CHANGES[name].format(**asked | {"others": others}) for name in _CHANGES if name in names]
            return run, list(dict.fromkeys(parts))
    return None


def configuration(
    command: str, directory: Path, base: KnowledgeBase, questions: Sequence[Question], what: Json
) -> Json:
    """What tells a run from another: data, graph, code, settings, and ``what`` is measured.

    ``version`` is the graph's: counts stay the same where entities are merged, or a document is reworded.

    Raises NotFoundError where the knowledge base does not exist.
    """
    from clew.explore.look import version

    settings = {name: getattr(base.settings, name) for name in _SETTINGS}
    policies = what.get("policies", ())
    if "llm" in policies or ("auto" in policies and base.settings.llm_model):
        settings |= {name: getattr(base.settings, name) for name in _MODEL_SETTINGS}
        settings["llm_server"] = without_login(base.settings.llm_base_url or "")
    return {
        "command": command,
        "dataset": directory.resolve().name if directory.is_dir() else directory.stem,
        "kb": base.name,
        "questions": len(questions),
        "questions_digest": questions_digest(questions),
        "code_digest": code_digest(),
        "embedder": base.embedder.name,
        "version": version(base),
        "construction": _construction(base),
        "settings": settings,
        **what,
    }


def _construction(base: KnowledgeBase) -> Json:
    """What the graph took to build: nodes, edges, and the tokens and cost of the model that extracted its facts.

    ``cost_per_1m_tokens`` (CP1MT) is that cost for a million tokens of the documents, at four characters a token.
    """
    from clew.extraction.refine import spent

    counts = base.stats()
    nodes = {name: counts["nodes"][name] for name in _NODES}
    edges = {name: counts["relationships"][name] for name in _EDGES}
    model = spent(base.database, base.name)
    tokens = base.database.read("kb/corpus_size", kb=base.name)[0]["characters"] / _CHARACTERS_PER_TOKEN
    return {
        "nodes": sum(nodes.values()),
        "edges": sum(edges.values()),
        **nodes,
        **edges,
        "model_tokens": model.prompt_tokens,
        "model_cost": round(model.cost, 6),
        "cost_per_1m_tokens": round(model.cost / tokens * 1e6, 6) if tokens else 0.0,
    }


def head(run: Run) -> Json:
    """What the figures of a run begin with."""
    names = ("dataset", "questions", "kb", "k", "batch", "embedder", "construction", "started")
    return {**{name: run.config[name] for name in names if name in run.config}, "run": run.name}


def find_run(root: Path, name: str) -> Run:
    """The run called ``name``; the beginning of a name is enough where only one begins so.

    Raises NotFoundError where there is none, InputError where several begin so.
    """
    return Run(*find_folder(root, name, CONFIG, f"clew evaluate list --runs {shlex.quote(str(root))}"))


def list_runs(root: Path) -> list[Run]:
    """The runs in a folder, the latest first. Raises InputError where it cannot be read."""
    return [Run(folder, config) for folder, config in list_folders(root, CONFIG)]


def questions_digest(questions: Sequence[Question]) -> str:
    """What tells one set of questions with their answers from another."""
    return hashlib.sha256("\n".join(map(repr, questions)).encode("utf-8", "surrogatepass")).hexdigest()


def without_login(address: str) -> str:
    """An address as it may be written down: without the user and password that it may carry, and without a query."""
    parts = urlsplit(address)
    return f"{parts.netloc.rpartition('@')[2]}{parts.path}"


def _kept(root: Path, stem: str) -> dict[int, Run]:
    """The runs of one configuration by their numbers."""
    found: dict[int, Run] = {}
    for folder in root.iterdir() if root.is_dir() else ():
        number = folder.name.removeprefix(f"{stem}-") if folder.name != stem else "1"
        known = number.isdecimal() and folder.name == _numbered(stem, int(number))
        if known and (config := read_json(folder / CONFIG)):
            found[int(number)] = Run(folder, config)
    return found


def _numbered(stem: str, number: int) -> str:
    return stem if number == 1 else f"{stem}-{number}"


def _slug(text: str) -> str:
    return re.sub(r"[^A-Za-z0-9]+", "-", text).strip("-")[:40] or "unnamed"


def _is_record(row: Json) -> bool:
    match row:
        case {"strategy": str(), "variant": int(), "id": str(), **rest}:
            kind = str(rest.get("type", "retrieval"))
            whole = kind == "verdict" or isinstance(rest.get("metrics"), dict)
            return whole and kind in _FIELDS and rest.keys() >= _FIELDS[kind]
    return False
