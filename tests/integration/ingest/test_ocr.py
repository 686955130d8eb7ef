"""Scans and pictures, read by OCR where its extra is installed, in the process that reads strangers' files."""

from __future__ import annotations

import io
from pathlib import Path

import pypdfium2
import pytest
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas

from clew.documents.format import Input
from clew.documents.formats import pdf
from clew.documents.parsed import Parsed
from clew.documents.pdf import ocr
from clew.ingest.load import load
from clew.settings import load_settings
from clew.types import Document, Skipped

pytestmark = pytest.mark.skipif(not ocr.is_there(), reason="the extra ocr is not installed")

SAID = ("The Corran quay was built in 1931.", "It cost 40 crowns.", "Anna Berg keeps its light.")


def scan(folder: Path) -> tuple[Path, Path]:
    """A picture of a page, and a PDF whose second page is that picture."""
    file = io.BytesIO()
    canvas = Canvas(file, pagesize=(400, 200))
    canvas.setFont("Helvetica", 14)
    for at, line in enumerate(SAID):
        canvas.drawString(30, 150 - 30 * at, line)
    canvas.save()
    picture = pypdfium2.PdfDocument(file.getvalue())[0].render(scale=2).to_pil()
    picture.save(folder / "page.png")
    whole = Canvas(str(folder / "whole.pdf"), pagesize=(400, 200))
    whole.drawString(30, 150, "The first page has letters of its own.")
    whole.showPage()
    whole.drawImage(ImageReader(picture), 0, 0, 400, 200)
    whole.save()
    return folder / "page.png", folder / "whole.pdf"


def test_a_scan_and_a_picture_are_read_and_the_pages_told(tmp_path: Path) -> None:
    settings = load_settings(_env_file=None, parse_timeout=200)
    found = list(load([str(path) for path in scan(tmp_path)], kb="ocr", settings=settings))
    assert not [one for one in found if isinstance(one, Skipped)]
    picture, whole = (one for one in found if isinstance(one, Document))
    assert " ".join(picture.text.split()) == " ".join(SAID)
    assert picture.notes == (ocr.NOTE,)
    assert whole.text.startswith("The first page has letters of its own.")
    assert all(line in " ".join(whole.text.split()) for line in SAID)
    assert whole.notes == ("Pages read by OCR, whose letters may be wrong (1): 2.",)


def test_lines_that_cannot_be_read_are_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _, whole = scan(tmp_path)
    monkeypatch.setattr(ocr, "SURE", 1.1)
    (found,) = pdf.read(Input(whole.read_bytes(), "whole.pdf", 10_000_000))
    assert isinstance(found, Parsed)
    assert "Left out: lines that OCR could not read (3)." in found.notes
    assert any(note.startswith("Pages without text") and note.endswith("(1): 2.") for note in found.notes)
