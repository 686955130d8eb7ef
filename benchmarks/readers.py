"""Readers of documents against what must stand in what they read: files right, faults by file, and seconds.

    python benchmarks/readers.py READER CASES [--ending pdf]

READER is clew, markitdown, pdfplumber, pypdfium2 or trafilatura; the last four may be in an environment of their own,
without Clew. CASES is a folder with ``expected.json``: of each ``file`` what is the ``text`` that must stand in it,
what must be ``absent``, and what stands there ``once``.
"""

from __future__ import annotations

import argparse
import json
import time
from collections import Counter, defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import Any

Read = Callable[[Path], str]


def main() -> None:
    """Read every case and print what was right."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("reader", choices=sorted(READERS))
    parser.add_argument("cases", type=Path)
    parser.add_argument("--ending", default="", help="only files with this ending")
    options = parser.parse_args()
    cases = json.loads((options.cases / "expected.json").read_text("utf-8"))
    read = READERS[options.reader]()
    right: Counter[str] = Counter()
    tried: Counter[str] = Counter()
    seconds: defaultdict[str, float] = defaultdict(float)
    for case in cases:
        path = options.cases / case["file"]
        ending = path.suffix.removeprefix(".")
        if options.ending not in {"", ending} or not {"text", "absent", "once"} & set(case):
            continue
        tried[ending] += 1
        began = time.process_time()
        try:
            text = read(path)
        except Exception as error:  # whatever a reader makes of a file is its result
            print(f"{path.name}: {type(error).__name__}")
            continue
        seconds[ending] += time.process_time() - began
        faults = faults_of(case, " ".join(text.split()))
        right[ending] += not faults
        print(f"{path.name}: {'; '.join(faults) or 'right'}")
    for ending in sorted(tried):
        print(f"{options.reader} {ending}: {right[ending]} of {tried[ending]} right, {seconds[ending]:.2f} s")


def faults_of(case: dict[str, Any], text: str) -> list[str]:
    """What is wrong with a text, on one line, that was read of a case's file."""
    missing = [f"{wanted!r} is missing" for wanted in case.get("text", ()) if wanted not in text]
    left = [f"{unwanted!r} is there" for unwanted in case.get("absent", ()) if unwanted in text]
    again = [f"{single!r} {text.count(single)} times" for single in case.get("once", ()) if text.count(single) != 1]
    return missing + left + again


def _clew() -> Read:
    from clew.documents.format import Input
    from clew.documents.kinds import FORMATS, KNOWN, kind_of_name
    from clew.documents.parsed import Parsed

    def read(path: Path) -> str:
        items = FORMATS[kind_of_name(path.name) or "txt"].read(Input(path.read_bytes(), path.name, 10**8, known=KNOWN))
        return "\n".join(item.text for item in items if isinstance(item, Parsed))

    return read


def _markitdown() -> Read:
    from markitdown import MarkItDown  # type: ignore[import-not-found]

    converter = MarkItDown()
    return lambda path: str(converter.convert(str(path)).text_content)


def _pdfplumber() -> Read:
    import pdfplumber  # type: ignore[import-not-found]

    def read(path: Path) -> str:
        with pdfplumber.open(path) as document:
            return "\n".join(page.extract_text() or "" for page in document.pages)

    return read


def _pypdfium2() -> Read:
    import pypdfium2

    return lambda path: "\n".join(page.get_textpage().get_text_bounded() for page in pypdfium2.PdfDocument(path))


def _trafilatura() -> Read:
    import trafilatura

    return lambda path: trafilatura.extract(path.read_bytes(), include_tables=True, include_comments=False) or ""


READERS: dict[str, Callable[[], Read]] = {
    "clew": _clew,
    "markitdown": _markitdown,
    "pdfplumber": _pdfplumber,
    "pypdfium2": _pypdfium2,
    "trafilatura": _trafilatura,
}

if __name__ == "__main__":
    main()
