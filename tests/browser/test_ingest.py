"""Bringing documents in, seeing what was skipped and why, and deleting, in the browser."""

from __future__ import annotations

import http.server
import threading
from collections.abc import Iterator
from functools import partial

import pytest
from playwright.sync_api import FilePayload, expect

from clew.knowledge_base import KnowledgeBase
from tests.browser.running import EXAMPLES, Watched

FILES = ("ansby.md", "anselm-voss.pdf", "auvray-lens.html", "clement-orrell.txt", "elleray-observatory.docx")


def test_uploads_and_addresses_come_in_and_faults_are_told(
    app: str, base: KnowledgeBase, site: str, wide: Watched
) -> None:
    page = wide.page
    page.goto(f"{app}/documents")
    uploads = [FilePayload(name=name, mimeType="", buffer=(EXAMPLES / name).read_bytes()) for name in FILES]
    uploads.append(FilePayload(name="broken.pdf", mimeType="application/pdf", buffer=b"%PDF-1.7 cut off here"))
    uploads.append(FilePayload(name="empty.txt", mimeType="text/plain", buffer=b""))
    page.locator("input[type=file]").set_input_files(uploads)
    expect(page.get_by_text("broken.pdf")).to_be_visible()
    page.get_by_label("Web addresses").fill(f"{site}/tarrock.txt\n/etc/passwd\n{site}/missing.txt")
    target = page.get_by_role("combobox", name="Into the knowledge base")
    target.fill(base.name)
    target.press("Enter")
    page.get_by_role("button", name="Bring in").click()

    skipped = page.locator(".skipped")
    expect(skipped).to_be_visible(timeout=60_000)
    reasons = dict(row.split("\t", 1) for row in skipped.locator("tbody").inner_text().splitlines())
    assert set(reasons) == {"broken.pdf", "empty.txt", "/etc/passwd", f"{site}/missing.txt"}
    assert all(reasons.values())
    assert reasons["/etc/passwd"] == "It is no http or https address."
    assert "404" in reasons[f"{site}/missing.txt"]
    expect(page.get_by_text("6 documents added")).to_be_visible()
    expect(page.get_by_role("heading", name=f"In {base.name}: 6 documents")).to_be_visible()
    assert {row["title"] for row in base.documents()} >= {"Ansby", "Tarrock", "Clement Orrell"}


def test_a_document_is_opened_and_deleted_once_confirmed(app: str, base: KnowledgeBase, wide: Watched) -> None:
    for name in ("ansby.md", "tarrock.txt"):
        base.ingest(str(EXAMPLES / name))
    page = wide.page
    page.goto(f"{app}/documents?kb={base.name}")
    expect(page.get_by_role("heading", name="2 documents")).to_be_visible()
    delete = page.get_by_role("button", name="Delete", exact=True)
    expect(delete).to_be_disabled()
    table = page.get_by_test_id("stDataFrame")
    table.locator(".dvn-scroller").click(position={"x": 16, "y": 52})
    page.get_by_role("button", name="Read").click()
    drawer = page.get_by_role("dialog")
    expect(drawer.get_by_text("ansby.md")).to_be_visible()
    page.keyboard.press("Escape")
    expect(drawer).to_have_count(0)

    delete.click()
    page.get_by_role("button", name="Keep").click()
    expect(page.get_by_role("dialog")).to_have_count(0)
    assert len(base.documents()) == 2
    delete.click()
    page.get_by_role("dialog").get_by_role("button", name="Delete").click()
    expect(page.get_by_role("heading", name="1 document")).to_be_visible()
    assert [row["title"] for row in base.documents()] == ["Tarrock"]


def test_a_bad_name_is_refused_with_what_to_do(app: str, base: KnowledgeBase, wide: Watched) -> None:
    page = wide.page
    page.goto(f"{app}/documents?kb={base.name}")
    page.locator("input[type=file]").set_input_files(
        [FilePayload(name="a.txt", mimeType="text/plain", buffer=b"A is the first letter.")]
    )
    target = page.get_by_role("combobox", name="Into the knowledge base")
    target.fill("../<b>bad</b>")
    target.press("Enter")
    page.get_by_role("button", name="Bring in").click()
    expect(page.get_by_role("alert")).to_contain_text("'../<b>bad</b>' is no name for a knowledge base")


@pytest.fixture
def site() -> Iterator[str]:
    """A web site with the examples."""
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), partial(_Quiet, directory=str(EXAMPLES))) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


class _Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:
        """Say nothing on standard error."""
