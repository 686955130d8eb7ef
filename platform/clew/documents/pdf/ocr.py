"""Pictures of text, read by RapidOCR (PP-OCR models that come in its wheel) on OpenVINO: the extra ``ocr``."""

from __future__ import annotations

from collections import Counter
from functools import cache
from importlib.util import find_spec
from typing import Any

from clew.documents.pdf.layout import Piece
from clew.text.normalise import normalise

PACKAGE = "rapidocr"
MISSING = "`make install-ocr` brings what reads them"
"""What to do where it is not installed."""
NOTE = "Read by OCR: letters may be wrong."
MEMORY = 3_000_000_000
"""Bytes that the models may take besides what a document may, most of them addresses that are never touched."""
SURE = 0.6
"""Probability of a line below which it is not text but noise."""
UNREAD = "lines that OCR could not read"
_LEAST_LINE = 4
"""Letters of what counts as a line: pictures have spots that look like one or two."""
MOST_PAGES = 150
"""Pages of one file that are read so, at most: a page takes seconds."""
DOTS = 150 / 72
"""Dots of a picture of a page for each point of the page: what a fax has, and enough for letters of 8 points."""
MOST_DOTS = 4_000
"""Dots of the longer side that are looked at; a larger picture is made smaller."""


def is_there() -> bool:
    """Whether pictures can be read."""
    return find_spec(PACKAGE) is not None


def pieces_of(picture: Any, counts: Counter[str], dots: float = DOTS) -> list[Piece]:
    """The lines of text in a picture, (height, width, 3) bytes, at their places in points from the lower left.

    ``counts`` gains what looks like a line and could not be read.
    """
    found = _engine()(picture)
    height = picture.shape[0]
    pieces: list[Piece] = []
    if found is None or found.boxes is None:
        return []
    for box, text, score in zip(found.boxes.tolist(), found.txts, found.scores, strict=True):
        line = " ".join(normalise(text).split())
        if score < SURE or not line:
            counts[UNREAD] += len(line) >= _LEAST_LINE
            continue
        xs, ys = [x / dots for x, _ in box], [(height - y) / dots for _, y in box]
        pieces.append(Piece(min(xs), max(xs), min(ys), max(max(ys) - min(ys), 1.0), False, text=line))
    return pieces


@cache
def _engine() -> Any:
    from rapidocr import EngineType, RapidOCR

    _allow_memory()
    parts = {f"{part}.engine_type": EngineType.OPENVINO for part in ("Det", "Cls", "Rec")}
    return RapidOCR(params={**parts, "Global.log_level": "critical", "Global.text_score": 0.0})


def _allow_memory() -> None:
    """Let this process have what its hard limit allows, where it has one (``clew.documents.isolated``)."""
    import resource

    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (hard, hard))
