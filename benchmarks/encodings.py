"""How often files without a declared encoding are read as what they are: passages in the code pages of their language.

    python -m benchmarks.encodings FILE [FILE …] [--of N]

Each FILE has the reading data's lines with ``context`` and ``lang`` (none is English). N passages of each language are
cut to three lengths and written in each code page that is common for it; counted are, of those with any letter beyond
ASCII, how many come back letter by letter, are taken for another encoding, or are refused.
"""

from __future__ import annotations

import argparse
import gzip
import json
import random
from collections import Counter, defaultdict
from pathlib import Path

from clew.documents.encoding import decode
from clew.documents.parsed import Unreadable
from clew.reporting.table import Table, as_markdown

LENGTHS = (60, 200, 1000)
WEST = ("cp1252", "mac-roman", "cp850")
PAGES: dict[str, tuple[str, ...]] = {
    "ar": ("cp1256",),
    "de": WEST,
    "el": ("cp1253",),
    "en": ("cp1252",),
    "es": WEST,
    "it": WEST,
    "ja": ("cp932", "euc_jp"),
    "no": WEST,
    "ro": ("cp1250",),
    "ru": ("cp1251", "koi8-r", "cp866"),
    "th": ("cp874",),
    "tr": ("cp1254",),
    "vi": ("cp1258",),
    "zh": ("gb18030", "big5"),
}


def main() -> None:
    """Write, read and count."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--of", type=int, default=100, metavar="N")
    options = parser.parse_args()
    passages: defaultdict[str, set[str]] = defaultdict(set)
    for file in options.files:
        with gzip.open(file, "rt", encoding="utf-8") as lines:
            for line in lines:
                item = json.loads(line)
                passages[item.get("lang", "en")].add(item["context"])
    rows = []
    for language in sorted(passages):
        texts = sorted(passages[language])
        drawn = random.Random(7).sample(texts, min(options.of, len(texts)))
        for page in PAGES.get(language, ()):
            for length in LENGTHS:
                counted = Counter(filter(None, (_outcome(text[:length], page) for text in drawn)))
                if total := counted.total():
                    rows.append(
                        (language, page, length, total, *(counted[one] for one in ("right", "wrong", "refused")))
                    )
    print(as_markdown(Table.of(("language", "written in", "characters", "files", "right", "wrong", "refused"), rows)))


def _outcome(text: str, page: str) -> str:
    """What became of a text; empty where the code page has not all of its letters, or none beyond ASCII is in it."""
    try:
        data = text.encode(page)
    except UnicodeError:
        return ""
    if data.isascii():
        return ""
    try:
        return "right" if decode(data).text == text else "wrong"
    except Unreadable:
        return "refused"


if __name__ == "__main__":
    main()
