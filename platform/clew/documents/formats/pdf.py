"""PDF: its pages one after the other, running heads left out, with the offset at which each page starts."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from typing import Any

from clew.documents.blocks import Layout
from clew.documents.format import Format, Input
from clew.documents.marks import left_out
from clew.documents.metadata import add_author, tags_of
from clew.documents.parsed import Parsed, Unreadable, headline, meant_title, notes, title_of_name
from clew.documents.pdf import ocr
from clew.documents.pdf.blocks import key_of
from clew.documents.pdf.characters import UNKNOWN
from clew.documents.pdf.continued import with_heads
from clew.documents.pdf.layout import Line
from clew.documents.pdf.lines import lines_of_page, lines_seen
from clew.documents.pdf.margins import without_running_heads
from clew.documents.pdf.paragraphs import joined
from clew.text.normalise import normalise, one_line
from clew.types import Json

MOST_PAGES = 20_000
"""Pages of a PDF, at most; more is no document."""
_SHOWN_PAGES = 10
_MOST_BOOKMARKS, _MOST_DEPTH = 5_000, 6
_PORTFOLIO = re.compile(rb"/Collection\b")
_SHELL = 400


def read(source: Input) -> Iterator[Parsed]:
    """Read a PDF that has a text layer, columns one after the other, what a form was filled with beside its labels.

    Raises Unreadable where it is damaged, protected, has no text (a scan), is a shell for something else, or has more
    than ``limit`` characters or ``MOST_PAGES`` pages.
    """
    document = _opened(source.data)
    if len(document) > MOST_PAGES:
        raise Unreadable(f"It has more than {MOST_PAGES:,} pages; split it.")
    has_form = document.get_formtype() != 0
    if has_form:
        document.init_forms()
    pages: list[list[Line]] = []
    by_ocr: list[int] = []
    counts: Counter[str] = Counter()
    characters = failed = 0
    for number in range(len(document)):
        try:
            found = lines_of_page(document, number, source.limit, counts, has_form=has_form)
            if (
                not found
                and len(by_ocr) < ocr.MOST_PAGES
                and ocr.is_there()
                and (found := lines_seen(document[number], counts))
            ):
                by_ocr.append(number + 1)
        except _error():
            found = []
            failed += 1
        pages.append(found)
        characters += sum(len(line.text) for line in found)
        if characters > source.limit:
            raise Unreadable(f"It unpacks to more than {source.limit / 1e6:g} MB of text (CLEW_MAX_FILE_MB).")
        source.tick()
    if not pages or failed == len(pages):
        raise Unreadable("The PDF is damaged: not one of its pages can be read.")
    _check_shell(document, source.data, characters)
    if not any(pages):
        raise Unreadable(f"The PDF has no text (pages: {len(pages)}); where they are scans, {ocr.MISSING}.")
    metadata = _metadata(document)
    title = metadata.pop("title", "")
    layout = Layout()
    drafts, starts = joined(with_heads(without_running_heads(pages)), _outline(document))
    layout.add(drafts)
    without = [number for number, page in enumerate(pages, 1) if not page]
    unknown = counts.pop(UNKNOWN, 0)
    remarks = notes(
        *left_out(counts),
        f"Characters that their font gives no meaning, {UNKNOWN} within other text: {unknown:,}." if unknown else "",
        _numbered("Pages read by OCR, whose letters may be wrong", by_ocr),
        _numbered(f"Pages without text; where they are scans, {ocr.MISSING}", without),
    )
    title = title or headline(layout.text) or title_of_name(source.name)
    add_author(layout, metadata)
    yield Parsed(title, layout.text, pages=tuple(starts), notes=remarks, metadata=metadata, blocks=tuple(layout.blocks))


def _error() -> type[Exception]:
    import pypdfium2

    error: type[Exception] = pypdfium2.PdfiumError
    return error


def _opened(data: bytes) -> Any:
    import pypdfium2

    try:
        return pypdfium2.PdfDocument(data)
    except pypdfium2.PdfiumError as error:
        if "assword" in str(error):
            raise Unreadable("The PDF is password-protected; save it without a password.") from error
        if "ecurity" in str(error):
            raise Unreadable(
                "The PDF is encrypted in a way that cannot be read; save it without a password."
            ) from error
        fault = one_line(str(error).rpartition("PDFium: ")[2], 100).rstrip(").")
        raise Unreadable(f"The PDF is damaged or cut off ({fault}): save it anew.") from error


def _check_shell(document: Any, data: bytes, characters: int) -> None:
    """Raise Unreadable for a PDF that only wraps other files, or a form that only one program shows."""
    if characters > _SHELL:
        return
    if document.get_formtype() == 2:
        raise Unreadable("The PDF is a form of the kind XFA, which only Adobe Reader shows; print it to a PDF there.")
    attached = document.count_attachments()
    if attached and _PORTFOLIO.search(data):
        raise Unreadable(f"The PDF is a portfolio of other files ({attached:,}); save them and read those.")


def _numbered(what: str, numbers: list[int]) -> str:
    if not numbers:
        return ""
    shown = ", ".join(map(str, numbers[:_SHOWN_PAGES])) + (", …" if len(numbers) > _SHOWN_PAGES else "")
    return f"{what} ({len(numbers):,}): {shown}."


def _outline(document: Any) -> frozenset[str]:
    """The titles of the document's bookmarks, by which its headings are known."""
    try:
        titles = (one.get_title() for one in islice(document.get_toc(max_depth=_MOST_DEPTH), _MOST_BOOKMARKS))
        return frozenset(filter(None, map(key_of, titles)))
    except Exception:
        return frozenset()  # bookmarks that cannot be read are no reason to refuse the text


def _metadata(document: Any) -> Json:
    try:
        fields = document.get_metadata_dict()
    except Exception:
        return {}  # properties that cannot be read are no reason to refuse the text
    found: Json = {"title": meant_title(normalise(fields.get("Title", "")))}
    found["author"] = meant_title(normalise(fields.get("Author", "")))
    if date := re.match(r"D:(\d{4})(\d{2})(\d{2})", fields.get("CreationDate", "")):
        found["created"] = "-".join(date.groups())
    found["tags"] = tags_of(fields.get("Keywords", ""))
    return {key: value for key, value in found.items() if value}


FORMAT = Format(
    "pdf",
    "a PDF",
    "application/pdf",
    read,
    media_types=("application/x-pdf",),
    recognise=lambda data: b"%PDF-" in data[:1024] and (data.lstrip()[:5] == b"%PDF-" or b"\0" in data[:4096]),
)
