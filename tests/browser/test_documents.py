"""The Documents page: bringing in, failing and trying again, closing the page, cancelling, replacing and deleting."""

from __future__ import annotations

import contextlib
import http.server
import json
import os
import re
import signal
import threading
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, FilePayload, Page, expect

from clew.knowledge_base import KnowledgeBase
from clew.runs import Job, jobs
from clew.settings import Settings
from clew.testing import ModelServer, extractor
from tests.browser.running import (
    EXAMPLES,
    Watched,
    bring_in_to,
    choose,
    enter,
    job_card,
    mark_document,
    overflow,
    press,
    settle,
    unfold,
    upload,
    watched_page,
)

FILES = ("ansby.md", "anselm-voss.pdf", "auvray-lens.html", "clement-orrell.txt", "elleray-observatory.docx")
SLOW_MS = 240_000
MANY = 60_000
"""Documents that no machine brings in before it can be told to stop."""
HOSTILE = (
    "<img src=x onerror=window.hacked=1>.txt",
    "![p](http:\u2215\u2215evil.example\u2215n.png) :red[x] **bold** $x^2$.txt",
    "\u202egnp.exe\u202c 👩‍🚀.txt",
    f"{'long' * 60}.txt",
    "<script>window.hacked=1<\u2215script>.pdf",
)


def example(name: str) -> FilePayload:
    """An example as a file to upload."""
    return FilePayload(name=name, mimeType="", buffer=(EXAMPLES / name).read_bytes())


def towns(count: int) -> FilePayload:
    """A corpus of so many small documents, to keep an ingest busy."""
    rows = ({"title": f"Town {n}", "text": f"Town {n} lies on the river {n % 9}, near Hill {n}."} for n in range(count))
    return FilePayload(name="towns.jsonl", mimeType="", buffer="\n".join(map(json.dumps, rows)).encode())


def bring_in(page: Page, base: KnowledgeBase, files: list[FilePayload]) -> None:
    """Choose files and the knowledge base, and begin."""
    if files:
        upload(page, *files)
        expect(page.get_by_role("button", name="Bring in")).to_be_enabled()
    bring_in_to(page, base.name)


def paste(page: Page, addresses: str) -> None:
    """Name web addresses, and let the app know."""
    settle(page)
    box = page.get_by_label("Web addresses")
    box.fill(addresses)
    box.press("ControlOrMeta+Enter")


def job_of(settings: Settings, base: KnowledgeBase) -> Job:
    """The ingest into a knowledge base."""
    return next(job for job in jobs(settings) if job.about["kb"] == base.name)


def test_five_formats_come_in_and_faults_are_told_and_tried_again(
    app: str, base: KnowledgeBase, wide: Watched, tmp_path: Path
) -> None:
    (tmp_path / "tarrock.txt").write_bytes((EXAMPLES / "tarrock.txt").read_bytes())
    page = wide.page
    with site(tmp_path) as address:
        page.goto(f"{app}/documents")
        paste(page, f"{address}/tarrock.txt\n/etc/passwd\n{address}/late.txt")
        bad = FilePayload(name="broken.pdf", mimeType="application/pdf", buffer=b"%PDF-1.7 cut off here")
        bring_in(page, base, [*map(example, FILES), bad])
        expect(page.get_by_role("heading", name=f"In {base.name}: 6 documents")).to_be_visible(timeout=SLOW_MS)
        shown = job_card(page, base.name)
        expect(shown).to_contain_text("6 documents")
        done = shown.locator(".item.done")
        expect(done).to_have_count(6)
        for row in done.all_inner_texts():
            assert re.search(r"[1-9]\d* facts?, [1-9]\d* entit(y|ies)", row), row
        reasons = dict(row.split("\n", 1) for row in shown.locator(".skipped").all_inner_texts())
        assert set(reasons) == {"broken.pdf", "/etc/passwd", f"{address}/late.txt"}
        assert reasons["/etc/passwd"] == "It is no http or https address."
        assert "404" in reasons[f"{address}/late.txt"]
        expect(shown.get_by_role("button", name="Retry", exact=True)).to_have_count(1)  # a broken file stays broken

        (tmp_path / "late.txt").write_text("Ferrol Hythe founded the Tarrock museum in 1901.")
        press(page, shown.locator("[class*='st-key-failed-']").filter(has_text="late.txt").get_by_role("button"))
        expect(page.get_by_role("heading", name=f"In {base.name}: 7 documents")).to_be_visible(timeout=SLOW_MS)
    expect(shown.locator(".skipped")).to_have_count(2)
    press(page, shown.get_by_role("button", name="Dismiss"))
    expect(job_card(page, base.name)).to_have_count(0)


def test_an_ingest_goes_on_when_its_page_is_closed_and_shows_in_another_window(
    app: str, base: KnowledgeBase, chromium: Browser, settings: Settings
) -> None:
    with watched_page(chromium) as first:
        first.page.goto(f"{app}/documents")
        bring_in(first.page, base, [towns(1_500)])
        expect(job_card(first.page, base.name)).to_contain_text("Adding to")
    with watched_page(chromium) as second:
        second.page.goto(f"{app}/documents?kb={base.name}")
        shown = job_card(second.page, base.name)
        expect(shown.get_by_role("button", name="Cancel")).to_be_visible()
        expect(shown.get_by_role("progressbar").first).to_be_visible()
        expect(shown.locator(".item .what")).to_contain_text("1,500 documents", timeout=SLOW_MS)
        expect(shown).to_contain_text("done · 1,500 documents", timeout=SLOW_MS)
        second.check()
    folder = job_of(settings, base).folder / "uploads"
    assert list(folder.iterdir()) == []
    assert len(base.documents()) == 1_500


def test_an_interrupted_ingest_is_resumed_and_cancelled(
    app: str, base: KnowledgeBase, wide: Watched, settings: Settings
) -> None:
    page = wide.page
    page.goto(f"{app}/documents")
    bring_in(page, base, [towns(MANY)])
    shown = job_card(page, base.name)
    expect(shown.locator(".item .what")).to_contain_text("a second", timeout=SLOW_MS)
    row = job_of(settings, base).read_state()
    for process in ("pid", "child"):
        os.kill(row[process], signal.SIGKILL)
    expect(shown).to_contain_text("interrupted")
    expect(shown.locator(".item .state")).to_have_text("Not finished")
    page.reload()
    press(page, shown.get_by_role("button", name="Resume"))
    expect(shown).to_contain_text("so far", timeout=SLOW_MS)
    press(page, shown.get_by_role("button", name="Cancel"))
    expect(shown).to_contain_text("cancelled", timeout=SLOW_MS)
    assert 0 < len(base.documents()) < MANY
    page.goto(f"{app}/documents?kb={base.name}")
    expect(page.get_by_role("heading", name=f"In {base.name}")).to_be_visible()
    expect(shown).to_contain_text("What was written stays")
    press(page, shown.get_by_role("button", name="Dismiss …"))
    expect(page.get_by_text("can then not be resumed")).to_be_visible()
    press(page, page.get_by_role("button", name="Dismiss it"))
    expect(shown).to_have_count(0)


def test_what_a_delete_and_a_new_version_take_along_is_shown_before(
    app: str, base: KnowledgeBase, wide: Watched
) -> None:
    for name in ("ansby.md", "tarrock.txt"):
        base.ingest_bytes((EXAMPLES / name).read_bytes(), name)
    page = wide.page
    page.goto(f"{app}/documents?kb={base.name}")
    expect(page.get_by_role("heading", name="2 documents")).to_be_visible()
    delete = page.get_by_role("button", name="Delete", exact=True)
    expect(delete).to_be_disabled()
    mark_document(page)
    press(page, page.get_by_role("button", name="Read", exact=True))
    drawer = page.get_by_role("dialog")
    expect(drawer.get_by_text("ansby.md")).to_be_visible()
    page.keyboard.press("Escape")
    expect(drawer).to_have_count(0)

    press(page, page.get_by_role("button", name="Replace", exact=True))
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("This replaces 1 document")
    new = FilePayload(name="new.txt", mimeType="", buffer=b"Ansby\n\nAnsby is a village of nine houses.")
    upload(page, new, where=dialog)
    press(page, dialog.get_by_role("button", name="Replace"))
    expect(job_card(page, base.name)).to_contain_text("done · 1 document", timeout=SLOW_MS)
    texts = [base.document(row["id"])["text"] for row in base.documents()]
    assert len(texts) == 2
    assert any("nine houses" in text for text in texts)

    mark_document(page)
    press(page, delete)
    expect(dialog).to_contain_text("nothing else supports")
    before = base.stats()["nodes"]
    told = re.search(r"With 1 document go ([\d,]+) facts? and ([\d,]+) entit", dialog.inner_text())
    press(page, dialog.get_by_role("button", name="Keep"))
    expect(dialog).to_have_count(0)
    assert len(base.documents()) == 2
    press(page, delete)
    press(page, dialog.get_by_role("button", name="Delete"))
    expect(page.get_by_role("heading", name="1 document")).to_be_visible()
    after = base.stats()["nodes"]
    assert told
    assert [int(number) for number in told.groups()] == [
        before["Hyperedge"] - after["Hyperedge"],
        before["Entity"] - after["Entity"],
    ]
    upload(page, example("tarrock.txt"))
    expect(page.get_by_text("This replaces 1 document of the same name")).to_be_visible()


def test_files_that_are_chosen_are_seen_whole(app: str, base: KnowledgeBase, wide: Watched) -> None:
    wide.page.goto(f"{app}/documents?kb={base.name}")
    upload(wide.page, *map(example, FILES))
    chips = wide.page.get_by_test_id("stFileChips")
    expect(chips).to_contain_text(FILES[0])
    assert chips.evaluate("chips => chips.scrollHeight <= chips.clientHeight")


def test_what_is_marked_is_never_another_document(app: str, base: KnowledgeBase, wide: Watched) -> None:
    """Another window may delete what stands above it in the table, or the very document."""
    for name in ("ansby.md", "tarrock.txt", "clement-orrell.txt"):
        base.ingest_bytes((EXAMPLES / name).read_bytes(), name)
    first, second, *_ = base.documents()
    page = wide.page
    page.goto(f"{app}/documents?kb={base.name}")
    expect(page.get_by_role("heading", name="3 documents")).to_be_visible()
    mark_document(page)
    base.delete_documents(first["id"])
    press(page, page.get_by_role("button", name="Read", exact=True))
    expect(page.get_by_text(f"“{first['title']}” is gone")).to_be_visible()
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(page.get_by_role("button", name="Delete", exact=True)).to_be_disabled()

    base.ingest_bytes((EXAMPLES / "ansby.md").read_bytes(), "ansby.md")
    page.reload()
    mark_document(page, 1)
    base.delete_documents(first["id"])
    press(page, page.get_by_role("button", name="Delete", exact=True))
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text(second["title"])
    press(page, dialog.get_by_role("button", name="Delete"))
    expect(page.get_by_role("heading", name="1 document")).to_be_visible()
    assert second["id"] not in {row["id"] for row in base.documents()}


def test_documents_are_searched_and_sorted(app: str, base: KnowledgeBase, wide: Watched) -> None:
    for name in ("tarrock.txt", "ansby.md", "clement-orrell.txt"):
        base.ingest_bytes((EXAMPLES / name).read_bytes(), name)
    base.ingest_bytes(b"---\nauthor: Anna Berg\n---\n# Quays\n\nThe Corran quay cost 40 crowns.", "quay.md")
    assert [row["title"] for row in base.documents(order="newest")][::3] == ["Quays", "Tarrock"]
    assert all(row["facts"] and row["at"] for row in base.documents())
    page = wide.page
    page.goto(f"{app}/documents?kb={base.name}")
    enter(page, page.get_by_role("textbox", name="Search", exact=True), "anna berg")
    expect(page.get_by_text("1 document with “anna berg”")).to_be_visible()
    mark_document(page)
    press(page, page.get_by_role("button", name="Read", exact=True))
    expect(page.get_by_role("dialog")).to_contain_text("The Corran quay cost 40 crowns.")
    page.keyboard.press("Escape")
    enter(page, page.get_by_role("textbox", name="Search", exact=True), "")
    choose(page, "Order", "Largest first")
    largest = base.documents(order="largest")[0]
    expect(page.get_by_test_id("stDataFrame").locator("canvas tr").nth(1)).to_contain_text(largest["title"])
    press(page, page.get_by_role("button", name="Delete", exact=True))
    expect(page.get_by_role("dialog")).to_contain_text("Quays")


def test_a_document_that_came_in_half_is_told_as_incomplete(app: str, base: KnowledgeBase, wide: Watched) -> None:
    base.ingest_bytes((EXAMPLES / "ansby.md").read_bytes(), "ansby.md")
    page = wide.page
    page.goto(f"{app}/documents?kb={base.name}")
    expect(page.get_by_role("heading", name="1 document")).to_be_visible()
    expect(page.get_by_text("What is incomplete")).to_have_count(0)
    base.database.write("ingest/begin_delete", kb=base.name, documents=[base.documents()[0]["id"]], writer="nobody")
    page.reload()
    expect(page.get_by_text("What is incomplete has not come in as a whole")).to_be_visible()


def test_a_model_is_estimated_before_it_is_paid_and_kept_to_its_budget(
    llm_app: str, model: ModelServer, base: KnowledgeBase, wide: Watched
) -> None:
    model.script = extractor()
    page = wide.page
    page.goto(f"{llm_app}/documents")
    upload(page, example("ansby.md"))
    expect(page.get_by_role("button", name="Bring in")).to_be_enabled()
    unfold(page, "How the files are read")
    press(page, page.get_by_text("A language model reads everything"))
    press(page, page.get_by_role("button", name="Estimate tokens and cost"))
    expect(
        page.get_by_text(re.compile(r"about \d+ requests? to clew-test.*tokens in.*no prices are set"))
    ).to_be_visible()
    budget = page.get_by_role("textbox", name="Budget of the model")
    enter(page, budget, "much")
    bring_in(page, base, [])
    expect(page.get_by_role("alert")).to_contain_text("'much' is no budget")
    enter(page, budget, "2k")
    bring_in(page, base, [])
    expect(job_card(page, base.name)).to_contain_text("spent", timeout=SLOW_MS)
    expect(job_card(page, base.name).locator(".item")).to_contain_text("Left: budget spent")


def test_hostile_file_names_show_as_text(app: str, base: KnowledgeBase, narrow: Watched) -> None:
    page = narrow.page
    page.goto(f"{app}/documents")
    text = b"Mordant Quell invented the pump in 1850."
    bring_in(page, base, [FilePayload(name=name, mimeType="", buffer=text) for name in HOSTILE])
    expect(page.get_by_role("heading", name=f"In {base.name}: 4 documents")).to_be_visible(timeout=SLOW_MS)
    names = "\n".join(job_card(page, base.name).locator(".name").all_inner_texts())
    for name in (HOSTILE[0], HOSTILE[1], "�gnp.exe� 👩‍🚀.txt", HOSTILE[4]):
        assert name in names
    assert page.evaluate("window.hacked") is None
    assert overflow(page) <= 0
    assert page.locator("img[src='x'], img[src*='evil'], a[href*='evil']").count() == 0


def test_a_knowledge_base_is_missed_until_it_is_brought_in(app: str, base: KnowledgeBase, wide: Watched) -> None:
    page = wide.page
    page.goto(f"{app}/documents?kb={base.name}")
    told = page.get_by_text(f"There is no knowledge base {base.name}")
    expect(told).to_be_visible()
    bring_in(page, base, [example("tarrock.txt")])
    expect(page.get_by_role("heading", name=f"In {base.name}: 1 document")).to_be_visible(timeout=SLOW_MS)
    expect(told).to_have_count(0)


def test_a_knowledge_base_follows_a_folder_once_the_difference_is_seen(
    app: str, base: KnowledgeBase, wide: Watched, tmp_path: Path
) -> None:
    letter = tmp_path / "letter.md"
    letter.write_text("---\nauthor: Anna Berg\n---\n# Quays\n\nThe Corran quay cost 40 crowns.")
    base.ingest(str(letter))
    letter.rename(tmp_path / "moved.md")
    (tmp_path / "new.md").write_text("# Osby\n\nOsby has a school.")
    page = wide.page
    page.goto(f"{app}/documents?kb={base.name}")
    unfold(page, "Follow a folder of this computer")
    field = page.get_by_role("textbox", name="Folder")
    enter(page, field, str(tmp_path))
    press(page, page.get_by_role("button", name="Compare"))
    expect(page.get_by_text("new new.md")).to_be_visible()
    expect(page.get_by_text(re.compile("moved .*letter.md → .*moved.md"))).to_be_visible()
    press(page, page.get_by_role("button", name="Update the knowledge base"))
    expect(page.get_by_role("heading", name="2 documents")).to_be_visible()
    assert {Path(row["source"]).name for row in base.documents()} == {"moved.md", "new.md"}
    mark_document(page)
    press(page, page.get_by_role("button", name="Read", exact=True))
    expect(page.get_by_role("dialog")).to_contain_text("Osby has a school.")


def test_files_of_a_folder_are_told_apart_and_what_is_passed_over_is_named(
    app: str, base: KnowledgeBase, wide: Watched, tmp_path: Path
) -> None:
    for place, year in (("east", 1901), ("west", 1902)):
        (tmp_path / place).mkdir()
        (tmp_path / place / "report.txt").write_text(f"The {place} pier was built in {year}.")
    (tmp_path / "east" / "torn.pdf").write_bytes(b"%PDF-1.7 cut off here")
    (tmp_path / "plan.dwg").write_bytes(b"\0")
    page = wide.page
    page.goto(f"{app}/documents?kb={base.name}")
    unfold(page, "Follow a folder of this computer")
    enter(page, page.get_by_role("combobox", name="Into the knowledge base"), base.name)
    field = page.get_by_role("textbox", name="Folder")
    enter(page, field, str(tmp_path))
    press(page, page.get_by_role("button", name="Compare"))
    expect(page.get_by_text("skipped east/torn.pdf")).to_be_visible()
    expect(page.get_by_text(re.compile(r"1 \.dwg"))).to_be_visible()
    assert overflow(page) <= 0
    press(page, page.get_by_role("button", name="Update the knowledge base"))
    expect(page.get_by_role("heading", name="2 documents")).to_be_visible(timeout=SLOW_MS)
    names = job_card(page, base.name).locator(".item .name")
    expect(names).to_have_text(["east/report.txt", "west/report.txt"])
    cells = page.get_by_test_id("stDataFrame").locator("canvas td")
    expect(cells.filter(has_text="east/report.txt")).to_be_attached()
    expect(cells.filter(has_text="west/report.txt")).to_be_attached()


def test_many_documents_are_turned_page_by_page_whatever_the_case_of_their_titles(
    app: str, base: KnowledgeBase, wide: Watched
) -> None:
    titles = ["boat shed", *(f"Quay {number:03d}" for number in range(100))]
    rows = "\n".join(json.dumps({"title": title, "text": f"{title} is built of oak."}) for title in titles)
    base.ingest_bytes(rows.encode(), "places.jsonl")
    page = wide.page
    page.goto(f"{app}/documents?kb={base.name}")
    cells = page.get_by_test_id("stDataFrame").locator("canvas td")
    expect(cells.filter(has_text="boat shed")).to_be_attached()
    expect(cells.filter(has_text="Quay 000")).to_be_attached()
    press(page, page.get_by_role("button", name="Page 2"))
    expect(cells.filter(has_text="Quay 099")).to_be_attached()
    expect(cells.filter(has_text="boat shed")).to_have_count(0)
    base.delete_documents(*(row["id"] for row in base.documents(limit=1)))
    page.reload()
    expect(cells.filter(has_text="Quay 000")).to_be_attached()
    expect(page.get_by_role("button", name="Page 2")).to_have_count(0)


def test_files_are_brought_in_again_in_their_encoding(app: str, base: KnowledgeBase, wide: Watched) -> None:
    said = "Kapitan Żądło kupił łódź w Świnoujściu."
    file = FilePayload(name="boat.txt", mimeType="text/plain", buffer=said.encode("iso8859-2"))
    page = wide.page
    page.goto(f"{app}/documents?kb={base.name}")
    upload(page, file)
    expect(page.get_by_role("button", name="Bring in")).to_be_enabled()
    unfold(page, "How the files are read")
    encoding = page.get_by_role("combobox", name=re.compile("^Encoding"))
    enter(page, encoding, "iso8859-2")
    settle(page)
    expect(encoding).to_have_value("iso8859-2")
    bring_in(page, base, [])
    expect(page.get_by_role("heading", name=f"In {base.name}: 1 document")).to_be_visible(timeout=SLOW_MS)
    expect(job_card(page, base.name).locator(".item.done")).to_have_count(1)
    expect(job_card(page, base.name).locator(".warnings")).to_have_count(0)
    [row] = base.documents()
    assert base.document(row["id"])["text"] == said
    settle(page)
    if not encoding.is_visible():  # it is folded where the page has gone to a new knowledge base
        unfold(page, "How the files are read")
    expect(encoding).to_have_value("")  # it was of those files alone


def test_a_bad_name_is_refused_with_what_to_do(app: str, base: KnowledgeBase, wide: Watched) -> None:
    page = wide.page
    page.goto(f"{app}/documents?kb={base.name}")
    upload(page, example("tarrock.txt"))
    expect(page.get_by_role("button", name="Bring in")).to_be_enabled()
    target = page.get_by_role("combobox", name="Into the knowledge base")
    enter(page, target, "../<b>bad</b>")
    press(page, page.get_by_role("button", name="Bring in"))
    refusal = page.get_by_role("alert").filter(has_text="is no name")
    expect(refusal).to_contain_text("'../<b>bad</b>' is no name for a knowledge base")


def test_the_ask_page_shows_what_comes_into_an_empty_knowledge_base(
    app: str, base: KnowledgeBase, wide: Watched, tmp_path: Path
) -> None:
    base.ingest_bytes(b"Orla Finch built the Tarn Mill in 1850.", "mill.txt")
    base.delete_documents(base.documents()[0]["id"])
    (tmp_path / "tarrock.txt").write_bytes((EXAMPLES / "tarrock.txt").read_bytes())
    let_go = threading.Event()
    page = wide.page
    with site(tmp_path, let_go) as address:
        page.goto(f"{app}/documents?kb={base.name}")
        paste(page, f"{address}/tarrock.txt")
        bring_in(page, base, [])
        shown = job_card(page, base.name)
        expect(shown).to_contain_text("Adding to")
        page.goto(f"{app}/?kb={base.name}")
        expect(shown).to_contain_text("Adding to")
        expect(shown.locator(".item")).to_have_css("display", "grid")
        expect(page.get_by_text("This knowledge base is empty")).to_have_count(0)
        let_go.set()
        expect(page.get_by_text(f"{base.name} holds 1 document, 11 facts and")).to_be_visible(timeout=SLOW_MS)
    expect(shown).to_have_count(0)


def test_a_table_read_is_shown_as_a_table(app: str, base: KnowledgeBase, wide: Watched) -> None:
    base.ingest_bytes(b"Ferry,Berth fee\nOrla,50 EUR\nVera,75 EUR\n", "ferries.csv")
    page = wide.page
    page.add_init_script("delete window.showSaveFilePicker")  # a browser without it downloads
    page.goto(f"{app}/documents?kb={base.name}")
    mark_document(page)
    press(page, page.get_by_role("button", name="What was read"))
    dialog = page.get_by_role("dialog", name="What was read")
    expect(dialog).to_contain_text("1 table")
    dialog.get_by_test_id("stDataFrame").hover()
    with page.expect_download() as download:
        dialog.get_by_role("button", name="Download as CSV").click()
    rows = download.value.path().read_text("utf-8-sig").splitlines()
    assert rows == ["Ferry,Berth fee", "Orla,50 EUR", "Vera,75 EUR"]


@contextlib.contextmanager
def site(folder: Path, let_go: threading.Event | None = None) -> Iterator[str]:
    """A web site with the files of a folder, which it gives once it is let go; its address."""
    handler = partial(_Quiet, directory=str(folder), let_go=let_go)
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


class _Quiet(http.server.SimpleHTTPRequestHandler):
    def __init__(self, *args: Any, let_go: threading.Event | None, **kwargs: Any) -> None:
        self.let_go = let_go
        super().__init__(*args, **kwargs)

    def do_GET(self) -> None:
        if self.let_go:
            self.let_go.wait(60)
        super().do_GET()

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing on standard error."""
