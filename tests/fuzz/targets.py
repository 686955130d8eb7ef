"""What is fuzzed: each target makes an input of a seeded source, hands it over, and tells what went wrong."""

from __future__ import annotations

import json
import os
import tempfile
import threading
import time
import unicodedata
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from random import Random

import httpx
import psutil

from clew.agent.policies.llm import repair as lenient
from clew.agent.protocol import DIALECTS
from clew.env_files import VARIABLE
from clew.errors import ClewError, InputError
from clew.ingest.load import load
from clew.ingest.split import chunks
from clew.operations import archive
from clew.questions.followup import in_full
from clew.questions.grammar import plan
from clew.questions.plan import Plan
from clew.settings import load_settings, variables
from clew.text.neutralise import neutralise
from clew.types import Document, Skipped
from tests.fuzz.mutate import damaged, damaged_package, soup
from tests.fuzz.samples import samples
from tests.unit.operations.test_archive import sealed

SLOW = 10.0
"""Seconds that one input may take."""
HEAVY = 1_000_000_000
"""Bytes of memory that a reading child, or this process beyond what it had, may take."""
FILES = 20
"""Damaged files of one round."""
Target = Callable[[Random], list[str]]

_EXAMPLES = Path(__file__).resolve().parents[2] / "examples" / "encyclopaedia"
_PACKAGES = (".docx", ".pptx", ".xlsx", ".odt", ".ods", ".epub", ".zip")
_TAGS = tuple(
    tag for dialect in DIALECTS.values() for pair in dialect.tags for tag in (pair, pair.upper(), f"<{pair}>")
)
_WORDS = (
    *_TAGS, "<|im_end|>", "```xml\n", "```", "{", "}", '"query": "', '{"name": "search", "arguments": ', "**Answer:** ",
    "[1]", "[99999999999]", "[[", "Skarn Head", " ", " ", " ", "\n", "\n\n", "\0", "\u202e", "\ud800", "\u200b", "&lt;",
    "Who ", "Where ", "When ", "How many ", "Was ", "and ", "or ", "of the ", "the founder of ", "the mother of ",
    "born", "1874", "3,5", " m", "%", "?", ".", "…", "“", "”", "'", "Ægir ", "北京", "مرحبا", "ἀ", "ǆ", "ß", "İ", "🜂",
    "who ", "did ", "not ", "before ", "after ", "between ", "more ", "than ", "which ", "what is ", "list ", "all ",
)  # fmt: skip


@cache
def _samples() -> tuple[tuple[str, bytes], ...]:
    return tuple(samples(_EXAMPLES))


def files(drawn: Random) -> list[str]:
    """Damaged files of every format, read as ``clew ingest`` reads a folder, and cut into chunks."""
    known, wrong = _samples(), []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for number in range(FILES):
            sample, data = drawn.choice(known)
            ending = Path(sample).suffix
            if ending in _PACKAGES and drawn.random() < 0.8:
                data = damaged_package(data, drawn)
            else:
                data = damaged(data, drawn, drawn.choice(known)[1])
            (folder / f"{number}{ending}").write_bytes(data)
        began = time.monotonic()
        for one in load([name], kb="fuzz", settings=load_settings(_env_file=None)):
            source = Path(one.source).name
            wrong += [f"{source}: {fault}" for fault in _of_file(one)]
            if (taken := time.monotonic() - began) > SLOW:
                wrong.append(f"{source}: {taken:.1f} seconds")
            began = time.monotonic()
    return wrong


def _of_file(one: Document | Skipped) -> Iterator[str]:
    if isinstance(one, Skipped):
        if "crashed its reader" in one.reason or "Its reader ended" in one.reason or "more than" in one.reason:
            yield one.reason
        if "\n" in one.reason:
            yield f"more than a line: {one.reason!r}"
        return
    if one.text != unicodedata.normalize("NFC", one.text):
        yield "its text is not composed"
    one.text.encode()
    json.dumps(one.metadata)
    if any(not 0 <= block.start < block.end <= len(one.text) for block in one.blocks):
        yield "a block lies outside the text"
    if any(a.end > b.start for a, b in zip(one.blocks, one.blocks[1:], strict=False)):
        yield "two blocks overlap"
    for chunk in chunks(one, 1200):
        if one.text[chunk.start : chunk.end] != chunk.text:
            yield "a chunk is not where it says"


def turns(drawn: Random) -> list[str]:
    """What a model may say: read strictly and leniently, and shown to it again."""
    wrong = []
    for _ in range(50):
        text = soup(drawn, _WORDS, 60)
        for dialect in DIALECTS.values():
            dialect.parse_turn(text)
            reading = lenient.read(dialect, text, thought=soup(drawn, _WORDS, 5), whole=drawn.random() < 0.7)
            if reading.form == "mended" and not dialect.is_well_formed(reading.turn):
                wrong.append(f"{dialect.name}: mended into what is not well-formed: {text!r}")
            if any(tag in neutralise(text).lower() for tag in dialect.tags):
                wrong.append(f"{dialect.name}: a tag is left: {text!r}")
    return wrong


def questions(drawn: Random) -> list[str]:
    """What a person may ask: planned, and put into full words after another exchange."""
    for _ in range(20):
        first, second = (soup(drawn, _WORDS[len(_TAGS) :], 25) for _ in range(2))
        taken: Plan = plan(in_full(second, [(first, soup(drawn, _WORDS, 4))]))
        assert taken.question is not None
    return []


def settings(drawn: Random) -> list[str]:
    """A file of settings: read, or refused in one line."""
    names = [name for several in variables().values() for name in several]
    wrong = []
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "env"
        for _ in range(10):
            lines = (f"{drawn.choice(names)}={soup(drawn, _VALUES, 3)}" for _ in range(drawn.randint(0, 5)))
            path.write_bytes(damaged("\n".join(lines).encode("utf-8", "replace"), drawn))
            with _environment(path):
                try:
                    load_settings()
                except ClewError as error:
                    if "\n" in str(error):
                        wrong.append(f"more than a line: {str(error)!r}")
    return wrong


_VALUES = ("1", "-1", "0", "1e9", "true", "nan", "inf", "/", "~", "~nobody/", "http://", "127.0.0.1", ":", "x", " ",
           '"', "'", "#", "$HOME", "${", "\\", "bolt://a:b@c", "é", "9" * 40)  # fmt: skip


@contextmanager
def _environment(path: Path) -> Iterator[None]:
    before = os.environ.get(VARIABLE)
    os.environ[VARIABLE] = str(path)
    try:
        yield
    finally:
        if before is None:
            del os.environ[VARIABLE]
        else:
            os.environ[VARIABLE] = before


def backups(drawn: Random) -> list[str]:
    """A backup that is damaged, as it is or under a checksum that is right: read, or refused."""
    wrong = []
    with tempfile.TemporaryDirectory() as folder:
        whole, other = Path(folder) / "whole", Path(folder) / "other"
        with archive.Writer(whole) as out:
            out.add("clew", "", [], format=archive.FORMAT, clew="1", schema=1, made="now", names=["a"])
            rows = ({"id": str(n), "text": soup(drawn, _WORDS, 9)} for n in range(drawn.randint(0, 30)))
            out.add("documents", "a", list(rows))
            out.finish()
        data = whole.read_bytes()
        for _ in range(20):
            body = damaged(data, drawn)
            if drawn.random() < 0.5:
                sealed(other, body)
            else:
                other.write_bytes(body)
            for read in (archive.verify, lambda path: [list(part.rows) for part in archive.parts(path)]):
                try:
                    read(other)
                except InputError as error:
                    if "\n" in str(error):
                        wrong.append(f"more than a line: {str(error)!r}")
    return wrong


def requests(address: str, token: str, kb: str) -> Target:
    """Bodies to the routes of ``clew serve`` at ``address``: those that are damaged get an answer below 500, in time.

    A tenth are whole, with nulls, pictures and refusals as clients send them, and get an answer.
    """
    asked = "Who designed the Elleray Observatory?"
    shown = [{"type": "text", "text": asked}, {"type": "image_url", "image_url": {"url": "data:image/png;base64,AA"}}]
    earlier = [{"role": "user", "content": shown}, {"role": "assistant", "content": None, "refusal": "No."}]
    chat = {"messages": [*earlier, {"role": "user", "content": asked}], "stream": None, "filter": None}
    called = {"name": "search", "arguments": {"query": asked, "kb": kb, "k": None, "filter": [], "limit": 3}}
    bodies = {
        f"/api/knowledge-bases/{kb}/ask": {"question": asked, "history": [[asked, "Anselm Voss"]], "policy": "reader"},
        f"/api/knowledge-bases/{kb}/retrieve": {"queries": [asked], "k": None, "filter": ["title=A"]},
        f"/retrieve/{kb}": {"queries": [asked, ""], "topk": 3, "return_scores": True},
        "/v1/chat/completions": {"model": f"clew/{kb}", **chat},
        "/mcp": {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": called},
    }
    headers = {"Accept": "application/json, text/event-stream"}
    headers |= {"Authorization": f"Bearer {token}"} if token else {}
    client = httpx.Client(base_url=address, timeout=60, headers=headers)

    def send(drawn: Random) -> list[str]:
        wrong = []
        for _ in range(10):
            path = drawn.choice(list(bodies))
            whole = json.dumps(bodies[path]).encode()
            sent = damaged(whole, drawn) if drawn.random() > 0.1 else whole
            began = time.monotonic()
            reply = client.post(path, content=sent, headers={"Content-Type": "application/json"})
            taken = time.monotonic() - began
            answered = reply.is_success and '"isError":true' not in reply.text
            if reply.status_code >= 500 or taken > SLOW or (sent == whole and not answered):
                wrong.append(f"{path}: {reply.status_code} after {taken:.1f} seconds to {sent!r}")
        return wrong

    return send


TARGETS: dict[str, Target] = {
    "files": files,
    "turns": turns,
    "questions": questions,
    "settings": settings,
    "backups": backups,
}
"""The targets that need no server."""
INPUTS = {"files": FILES, "turns": 50, "questions": 20, "settings": 10, "backups": 20, "requests": 10}
"""Inputs of one round of each."""


def tried(target: Target, drawn: Random) -> tuple[list[str], float]:
    """What went wrong in one round, and the MB of memory that it took at most."""
    with _peak() as peak:
        began = time.monotonic()
        try:
            wrong = target(drawn)
        except Exception as error:  # whatever it is, it is what this looks for
            wrong = [f"{type(error).__name__}: {error}"[:500]]
    if time.monotonic() - began > 4 * SLOW:
        wrong.append(f"the round took {time.monotonic() - began:.0f} seconds")
    if peak[0] > HEAVY:
        wrong.append(f"{peak[0] / 1e6:.0f} MB")
    return wrong, peak[0] / 1e6


@contextmanager
def _peak() -> Iterator[list[int]]:
    """The most memory that this process or a child takes on meanwhile.

    A child that is not yet its own program shows the memory of this one, and counts for nothing.
    """
    own, peak, over = psutil.Process(), [0], threading.Event()
    program = own.cmdline()

    def taken() -> dict[int, int]:
        found = {own.pid: own.memory_info().rss}
        for child in own.children(recursive=True):
            with suppress(psutil.NoSuchProcess):
                if child.cmdline() != program:
                    found[child.pid] = child.memory_info().rss
        return found

    before = taken()

    def watch() -> None:
        while not over.wait(0.05):
            peak[0] = max(peak[0], *(size - before.get(pid, 0) for pid, size in taken().items()))

    thread = threading.Thread(target=watch, daemon=True)
    thread.start()
    try:
        yield peak
    finally:
        over.set()
        thread.join()
