"""Loading: every format, every kind of source, and files that are broken or malicious."""

from __future__ import annotations

import hashlib
import io
import json
import os
import re
import subprocess
import sys
import time
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pptx
import psutil
import pypdf
import pytest
from reportlab.lib.styles import getSampleStyleSheet
from reportlab.platypus import PageBreak, Paragraph, SimpleDocTemplate

from clew.documents.format import Input
from clew.documents.isolated import Reader
from clew.documents.parsed import Parsed, Unreadable, meant_title, title_of_name
from clew.ids import document_id
from clew.ingest.load import load, load_bytes, total_bytes
from clew.settings import Settings, load_settings
from clew.text.normalise import normalise
from clew.text.outline import as_json
from clew.types import Document, Skipped
from tests.hostile import TAGS, slow_pdf, write_hostile_files

SENTENCES = (
    "The lighthouse of Alda was built in 1871 by the engineer Mara Lind, who had studied bridges in Trieste. "
    "It stands on a well-known reef. "
)


@pytest.fixture
def settings() -> Settings:
    return load_settings()


def documents(settings: Settings, *sources: str | Path, **options: Any) -> list[Document]:
    """The documents of the sources, where nothing may be skipped."""
    found = list(load([str(source) for source in sources], kb="k", settings=settings, **options))
    assert [item for item in found if isinstance(item, Skipped) and not item.note] == []
    return [item for item in found if isinstance(item, Document)]


def one(settings: Settings, data: bytes, name: str) -> Document:
    (document,) = load_bytes(data, name, kb="k", settings=settings)
    assert isinstance(document, Document), document
    return document


def reason(settings: Settings, data: bytes, name: str) -> str:
    (skipped,) = load_bytes(data, name, kb="k", settings=settings)
    assert isinstance(skipped, Skipped), skipped
    return skipped.reason


def pdf(path: Path, *paragraphs: tuple[str, str] | None, title: str = "") -> bytes:
    """A PDF of (style, text); None starts a page."""
    styles = getSampleStyleSheet()
    flow = [PageBreak() if p is None else Paragraph(p[1], styles[p[0]]) for p in paragraphs]
    SimpleDocTemplate(str(path), title=title).build(flow)
    return path.read_bytes()


def test_text_with_a_headline(tmp_path: Path, settings: Settings) -> None:
    path = tmp_path / "alda_light.txt"
    path.write_bytes(b"The Light of Alda\r\n\r\nIt was built in 1871.   \r\n\r\n\r\n\r\nIt stands.\x00\r\n")
    (document,) = documents(settings, path)
    assert document.title == "The Light of Alda"
    assert document.text == "The Light of Alda\n\nIt was built in 1871.\n\nIt stands."
    assert document.source == str(path)
    assert document.media_type == "text/plain"
    assert document.pages == ()
    assert document.id == document_id("k", str(path), "")
    structure = as_json(document.blocks)
    assert document.sha256 == hashlib.sha256(f"{document.title}\n{document.text}\n{structure}".encode()).hexdigest()


def test_text_without_a_headline_is_called_like_its_file(settings: Settings) -> None:
    assert one(settings, b"It was built.\n\nIt stands.", "alda_light-house.txt").title == "alda light house"
    assert one(settings, b"It was built\nin 1871.", "alda.txt").title == "alda"


@pytest.mark.parametrize(
    ("encoding", "text"),
    [
        *((e, "Hélène Auvray était née à Besançon. ") for e in ("utf-8", "utf-8-sig", "utf-16", "utf-32", "cp1252")),
        ("cp1250", "Kazimierz Wałek założył hutę szkła w Łodzi, gdzie żył długo i szczęśliwie. "),
        ("cp1251", "Маяк был построен в 1871 году инженером, который изучал мосты. "),
        ("shift_jis", "灯台は一八七一年に技師によって建てられた。彼女は橋を研究していた。"),
    ],
)
def test_encodings(settings: Settings, encoding: str, text: str) -> None:
    assert one(settings, text.encode(encoding), "a.txt").text == text.strip()


@pytest.mark.parametrize("algorithm", ["RC4-128", "AES-256"])
def test_pdf_that_anyone_may_open(tmp_path: Path, settings: Settings, algorithm: str) -> None:
    writer = pypdf.PdfWriter(clone_from=io.BytesIO(pdf(tmp_path / "a.pdf", ("BodyText", SENTENCES))))
    writer.encrypt(user_password="", owner_password="sesame", algorithm=algorithm)
    file = io.BytesIO()
    writer.write(file)
    assert one(settings, file.getvalue(), "a.pdf").text == SENTENCES.strip()


def test_pptx(tmp_path: Path, settings: Settings) -> None:
    deck = pptx.Presentation()
    first = deck.slides.add_slide(deck.slide_layouts[1])
    first.shapes.title.text = "The Light of Alda"
    first.placeholders[1].text = "Built in 1871.\nStill lit."
    first.notes_slide.notes_text_frame.text = "Say who built it."
    second = deck.slides.add_slide(deck.slide_layouts[5])
    second.shapes.title.text = "Keepers"
    table = second.shapes.add_table(2, 2, 0, 0, 9, 9).table
    for i, text in enumerate(["Year", "Keeper", "1871", "Mara Lind"]):
        table.cell(i // 2, i % 2).text = text
    deck.core_properties.title = "PowerPoint Presentation"
    deck.save(str(tmp_path / "a.pptx"))
    (document,) = documents(settings, tmp_path / "a.pptx")
    assert document.title == "The Light of Alda"
    assert document.text.split("\n\n") == [
        "The Light of Alda",
        "Built in 1871.",
        "Still lit.",
        "Say who built it.",
        "Keepers",
        "Year: 1871; Keeper: Mara Lind.",
    ]
    assert document.pages == (0, document.text.index("Keepers"))


def test_corpus_of_lines(tmp_path: Path, settings: Settings) -> None:
    rows = [
        {"title": "Alda", "text": "A reef."},
        {"title": "Alda", "text": "A town."},
        {"id": 7, "contents": "No title here\n\nbut text."},
        {"_id": "x", "title": "T", "body": ["One.", "Two."]},
    ]
    path = tmp_path / "corpus.jsonl"
    path.write_text("\n".join(map(json.dumps, rows)) + "\n\n")
    found = documents(settings, path)
    assert [d.title for d in found] == ["Alda", "Alda", "No title here", "T"]
    assert [d.locator for d in found[2:]] == ["7", "x"]
    assert found[3].text == "One.\n\nTwo."
    path.write_text("\n".join(map(json.dumps, reversed(rows))))
    again = documents(settings, path)
    assert {d.id for d in again} == {d.id for d in found}
    assert len({d.id for d in found}) == 4


def test_broken_rows_do_not_stop_the_others(tmp_path: Path, settings: Settings) -> None:
    path = tmp_path / "corpus.jsonl"
    path.write_bytes(b'{"text": "One."}\n{"text": \n[1]\n{"text": " "}\n{"text": "\xff"}\n{"text": "Two."}')
    found = list(load([str(path)], kb="k", settings=settings))
    assert [d.text for d in found if isinstance(d, Document)] == ["One.", "Two."]
    reasons = [s.reason for s in found if isinstance(s, Skipped)]
    assert [re.sub(r"\(.*", "", r) for r in reasons] == [
        "Line 2: not valid JSON ",
        "Line 3: not an object with a text.",
        "Line 4: its text is empty.",
        "Line 5: not valid UTF-8 ",
    ]


def test_a_long_line_is_skipped_and_the_next_one_read(tmp_path: Path) -> None:
    path = tmp_path / "corpus.jsonl"
    path.write_text('{"text": "One."}\n{"text": "' + "x" * 50_000 + '"}\n{"text": "Two."}\n')
    found = list(load([str(path)], kb="k", settings=load_settings(max_file_mb=0.01)))
    assert [getattr(item, "text", "skipped") for item in found] == ["One.", "skipped", "Two."]


def test_corpus_is_read_as_a_stream(settings: Settings) -> None:
    reads = 0

    class Endless(io.RawIOBase):
        def readable(self) -> bool:
            return True

        def readinto(self, buffer: Any) -> int:
            nonlocal reads
            reads += 1
            line = b'{"text": "Row %d of a corpus without end."}\n' % reads
            buffer[: len(line)] = line
            return len(line)

    rows = load(["-"], kb="k", settings=settings, stdin=io.BufferedReader(Endless(), 64))
    first = [next(rows) for _ in range(5)]
    assert [getattr(row, "source", "") for row in first] == ["stdin"] * 5
    assert reads < 10


def test_rows_with_one_id(settings: Settings) -> None:
    rows = [{"id": "a", "text": "One."}, {"id": "b", "text": "Two."}, {"id": "a", "text": "Three."}, {"text": "Four."}]
    data = "".join(f"{json.dumps(row)}\n" for row in [*rows, rows[1], rows[3]])
    found = list(load_bytes(data.encode(), "c.jsonl", kb="k", settings=settings))
    assert [getattr(item, "text", "") or getattr(item, "reason", "") for item in found] == [
        "One.",
        "Two.",
        "'Three.' has the id 'a' of an earlier row: give each row an id of its own.",
        "Four.",
    ]


def test_json(settings: Settings) -> None:
    corpus = json.dumps([{"title": "A", "text": "One."}, {"title": "B"}, {"title": "C", "text": "Three."}])
    found = list(load_bytes(corpus.encode(), "c.json", kb="k", settings=settings))
    assert [getattr(d, "title", "") or d.reason[:9] for d in found] == ["A", "Entry 2: ", "C"]  # type: ignore[union-attr]
    other = {"title": "Keepers", "list": [{"name": "Mara", "years": [1871, 1880]}, {"name": None, "alive": False}]}
    document = one(settings, json.dumps(other).encode(), "k.json")
    assert document.title == "Keepers"
    assert document.text == "title: Keepers.\nlist; name: Mara; years: 1871, 1880.\nlist; alive: no."


def test_csv(settings: Settings) -> None:
    corpus = b'id;Title;Text\n1;A;"One;\nand more."\n2;B;Two.;extra\n3;C;\n4;D;Four.\n'
    found = list(load_bytes(corpus, "c.csv", kb="k", settings=settings))
    assert [getattr(d, "text", "") or d.reason[:7] for d in found] == [  # type: ignore[union-attr]
        "One;\nand more.",
        "Line 4:",
        "Line 5:",
        "Four.",
    ]
    table = b"Keeper,Year,Note\nMara Lind,1871,\nJon,1880,late\n\n"
    document = one(settings, table, "light_keepers.csv")
    assert document.text == "Keeper: Mara Lind, Year: 1871.\nKeeper: Jon, Year: 1880, Note: late."
    assert document.title == "light keepers"


def test_csv_with_a_quotation_mark_that_is_never_closed(settings: Settings) -> None:
    corpus = b'title,text\nA,One.\nB,"Two.\nC,Three.\nD,Four.\n'
    a, *others = load_bytes(corpus, "c.csv", kb="k", settings=settings)
    assert getattr(a, "text", "") == "One."
    (rejected,) = others
    assert isinstance(rejected, Skipped)
    assert rejected.reason == "Line 3: a quotation mark that is never closed; the rest of the file is not read."
    table = b'Keeper,Year\nMara,1871\n"Jon,1880\nOle,1890\n'
    document, skipped = load_bytes(table, "t.csv", kb="k", settings=settings)
    assert (getattr(document, "text", ""), getattr(skipped, "reason", "")[:7]) == (
        "Keeper: Mara, Year: 1871.",
        "Line 3:",
    )
    assert reason(settings, b'title,"text\nA,One.\n', "c.csv").startswith("Line 1: a quotation mark")
    whole = b'title,text\nA,"One."'  # without a line end
    assert one(settings, whole, "c.csv").text == "One."


def test_small_files_that_become_large_texts(settings: Settings) -> None:
    small = load_settings(max_file_mb=2)
    table = b",".join([b"x" * 190] * 50) + b"\n" + b",".join([b"1"] * 50) + b"\n" + (b"1," * 49 + b"1\n") * 15_000
    assert "unpacks to more" in reason(small, table, "t.csv")
    named = json.dumps({"k" * 5000: [{"a": [0, "y" * 90]}] * 15_000})
    assert "unpacks to more" in reason(small, named.encode(), "t.json")
    assert "k" * 200 + "." in one(settings, json.dumps({"k" * 5000: {"a": 1}}).encode(), "t.json").text


def test_folders_patterns_and_their_order(tmp_path: Path, settings: Settings) -> None:
    for name in ("b.txt", "a/z.md", "a/c.txt", ".hidden.txt", ".git/x.txt", "a/photo.gif", "c/deep/er/x.txt"):
        (tmp_path / "in" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "in" / name).write_text(f"Text of {name}.")
    (tmp_path / "outside.txt").write_text("Outside.")
    (tmp_path / "in/leaves.txt").symlink_to(tmp_path / "outside.txt")
    (tmp_path / "in/loop").symlink_to(tmp_path / "in")
    (tmp_path / "in/inside.txt").symlink_to(tmp_path / "in/b.txt")

    def names(source: str) -> list[str]:
        return [str(Path(d.source).relative_to(tmp_path / "in")) for d in documents(settings, tmp_path / source)]

    assert names("in") == ["a/c.txt", "a/z.md", "b.txt", "c/deep/er/x.txt", "inside.txt"]
    assert names("in/*.txt") == ["b.txt", "inside.txt", "leaves.txt"]
    assert names("in/**/x.txt") == ["c/deep/er/x.txt"]
    assert names("in/a/**") == ["a/c.txt", "a/z.md"]
    assert names("in/../in/b.txt") == ["b.txt"]
    assert total_bytes([str(tmp_path / "in"), "-", "http://x.invalid/"]) == 14 + 15 + 16 + 24 + 14


def test_one_bad_source_does_not_stop_the_others(tmp_path: Path, settings: Settings) -> None:
    (tmp_path / "good.txt").write_text("Good.")
    (tmp_path / "empty").mkdir()
    (tmp_path / "a.two\nlines").write_text("Text.")
    bad = {
        str(tmp_path / "missing.txt"): "no such file",
        str(tmp_path / "*.pdf"): "matches this pattern",
        str(tmp_path / "a**b"): "pattern",
        str(tmp_path / "empty"): "nothing to read",
        str(tmp_path / "good.txt" / "x"): "cannot be opened",
        "ftp://example.invalid/a.txt": "http",
        str(tmp_path / "a.two\nlines"): ".two lines",
        "": "no name",
        "a\0b": "NUL",
        "~nobody-of-that-name/x.txt": "no such file",
        "x" * 5000: "cannot be opened",
        "-": "no standard input",
    }
    found = list(load([*bad, str(tmp_path / "good.txt")], kb="k", settings=settings))
    assert len(found) == len(bad) + 1
    for item, expected in zip(found, bad.values(), strict=False):
        assert isinstance(item, Skipped)
        assert expected in item.reason
        assert "\n" not in item.reason
    assert isinstance(found[-1], Document)


@contextmanager
def _as_nobody() -> Iterator[None]:
    if os.geteuid() != 0:
        yield
        return
    os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(0)


def test_without_permission(tmp_path: Path, settings: Settings) -> None:
    folder, file = tmp_path / "locked", tmp_path / "locked.txt"
    folder.mkdir(mode=0o000)
    file.write_text("Text.")
    file.chmod(0o000)
    for parent in [tmp_path, *tmp_path.parents[:3]]:
        if parent.stat().st_uid == os.getuid() and parent != Path(parent.anchor):
            parent.chmod(parent.stat().st_mode | 0o011)
    with _as_nobody():
        found = list(load([str(folder), str(file)], kb="k", settings=settings))
    folder.chmod(0o700)
    assert [getattr(item, "reason", "") for item in found] == ["It cannot be opened (Permission denied)."] * 2


@pytest.mark.parametrize(
    ("data", "media_type"),
    [
        (b"Plain text.", "text/plain"),
        (b"<!DOCTYPE html><p>Text.</p>", "text/html"),
        (b'{"text": "One."}\n{"text": "Two."}\n', "application/jsonl"),
        (b'[{"text": "One."}]', "application/json"),
        (b"{not json}", "text/plain"),
    ],
)
def test_standard_input_is_told_by_its_bytes(settings: Settings, data: bytes, media_type: str) -> None:
    found = documents(settings, "-", stdin=io.BytesIO(data))
    assert {d.media_type for d in found} == {media_type}
    assert {d.source for d in found} == {"stdin"}


def test_pdf_on_standard_input_and_as_upload(tmp_path: Path, settings: Settings) -> None:
    data = pdf(tmp_path / "a.pdf", ("BodyText", SENTENCES))
    (document,) = documents(settings, "-", stdin=io.BytesIO(data))
    assert document.text == SENTENCES.strip()
    upload = one(settings, data, "a.pdf")
    assert upload.source == "upload:a.pdf"
    assert upload.sha256 != "" != upload.id != document.id
    assert "a PDF" in reason(settings, data, "a.html")


def test_names_that_are_no_utf8(tmp_path: Path, settings: Settings) -> None:
    path = os.fsencode(tmp_path) + b"/caf\xe9.txt"
    with open(path, "wb") as file:  # noqa: PTH123 (a Path cannot be made of bytes)
        file.write(b"Text.")
    (document,) = documents(settings, tmp_path)
    assert document.source.endswith("caf\\xe9.txt")
    assert document.source.encode()
    assert document.title == "caf\\xe9"  # the title is encoded and stored, too


@pytest.mark.parametrize(
    ("title", "expected"),
    [
        ("The  Light\nof Alda", "The Light of Alda"),
        ("Microsoft Word - x.doc", ""),
        ("untitled", ""),
        ("Untitled-1", ""),
        ("(anonymous)", ""),
        ("Document1", ""),
        ("thesis_final.tex", ""),
        (" - 12 ", ""),
        (None, ""),
        ("Document theory", "Document theory"),
    ],
)
def test_titles_that_programs_leave(title: str | None, expected: str) -> None:
    assert meant_title(title) == expected


def test_what_an_archive_leaves_out_is_a_note_unless_it_is_all_there_is(tmp_path: Path, settings: Settings) -> None:
    for name, parts in {"some.zip": ["a.txt", "b.exe"], "none.zip": ["b.exe"]}.items():
        with zipfile.ZipFile(tmp_path / name, "w") as archive:
            for part in parts:
                archive.writestr(part, "The quay is old.")
    found = list(load([str(tmp_path / name) for name in ("some.zip", "none.zip")], kb="k", settings=settings))
    assert [(Path(item.source).name, getattr(item, "note", None)) for item in found] == [
        ("some.zip", None),
        ("some.zip", True),
        ("none.zip", False),
    ]


def test_title_of_name() -> None:
    assert title_of_name("a/the_light-of__alda.v2.txt") == "the light of alda.v2"
    assert title_of_name(".txt") == ".txt"


def test_hostile_files(tmp_path: Path, settings: Settings) -> None:
    expected = write_hostile_files(tmp_path)
    assert len(expected) >= 50
    start = time.monotonic()
    found = list(load([str(tmp_path / name) for name in expected], kb="k", settings=settings))
    assert time.monotonic() - start < 60
    assert [Path(item.source).name for item in found] == list(expected)
    for item, (name, pattern) in zip(found, expected.items(), strict=True):
        if pattern:
            assert isinstance(item, Skipped), name
            assert re.search(pattern, item.reason), (name, item.reason)
            assert "\n" not in item.reason
        else:
            assert isinstance(item, Document), (name, item)
            assert normalise(item.text) == item.text
    texts = {Path(item.source).name: item.text for item in found if isinstance(item, Document)}
    assert {texts[name] for name in ("tags.txt", "tags.docx", "tags.jsonl", "tags.html")} == {TAGS}
    assert texts["script.html"] == "Before the harbour was built.\n\nAfter it."

    # Of a folder, formats that are not read and links that leave it are counted; the rest is the same.
    ignored = {str(tmp_path / name) for name in ("program.exe", "device.txt")}
    *in_folder, left_out, links = load([str(tmp_path)], kb="k", settings=settings)
    assert left_out == Skipped(
        str(tmp_path), "Left out, because files of these kinds cannot be read: 1 .exe.", note=True
    )
    assert isinstance(links, Skipped)
    assert (links.note, links.reason[:31]) == (True, "1 link leads out of this folder")
    assert in_folder == sorted((item for item in found if item.source not in ignored), key=lambda item: item.source)


def test_a_reader_that_takes_too_long_is_stopped_and_the_next_file_read(tmp_path: Path) -> None:
    (tmp_path / "a-slow.pdf").write_bytes(slow_pdf(1_600_000))
    (tmp_path / "b.md").write_text("Good.")
    start = time.monotonic()
    slow, good = load([str(tmp_path)], kb="k", settings=load_settings(parse_timeout=0.9))
    assert isinstance(slow, Skipped)
    assert slow.reason == "Reading it took more than 0.9 seconds (CLEW_PARSE_TIMEOUT)."
    assert isinstance(good, Document)
    assert time.monotonic() - start < 15


def test_a_reader_that_needs_too_much_memory_is_refused() -> None:
    with Reader(30, memory=50_000_000) as reader:
        with pytest.raises(Unreadable, match="memory"):
            reader.read(Input(b"<p>a" * 2_000_000, "a.html", 64_000_000), "html")
        (good,) = reader.read(Input(b"<p>Good.", "b.html", 1000), "html")
        assert isinstance(good, Parsed)
        assert good.text == "Good."


def test_no_reader_outlives_the_load(tmp_path: Path, settings: Settings) -> None:
    (tmp_path / "a.md").write_text("One.")
    (tmp_path / "b.md").write_text("Two.")
    me = psutil.Process()
    before = me.children()
    rows = load([str(tmp_path)], kb="k", settings=settings)
    next(rows)
    [reader] = [p for p in me.children() if p not in before and "clew.documents.isolated" in p.cmdline()]
    rows.close()  # type: ignore[attr-defined]
    assert not reader.is_running()


def test_importing_is_light() -> None:
    heavy = (
        "lxml",
        "pypdfium2",
        "docx",
        "docutils",
        "python_calamine",
        "olefile",
        "striprtf",
        "webencodings",
        "pptx",
        "httpx",
        "markdown_it",
        "chardet",
    )
    code = f"import clew.ingest.load, sys; print([m for m in {heavy} if m in sys.modules])"
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=environment)
    assert done.stdout.strip() == "[]"
