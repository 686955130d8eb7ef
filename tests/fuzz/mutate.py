"""Ways to damage bytes and text, drawn from a seeded source, so that each damage can be made again."""

from __future__ import annotations

import io
import zipfile
from random import Random

TOKENS = (
    b"\0", b"\xff\xff\xff\xff", b"\x80", b"\xed\xa0\x80", b"\xef\xbb\xbf", b"\xff\xfe", b"\r\n", b"\n\n", b"\t", b" ",
    b"-1", b"0", b"4294967295", b"9" * 30, b"1e999", b"NaN", b'"', b"'", b"\\", b"<", b">", b"</", b"<![CDATA[", b"]]>",
    b"<!--", b"&amp;", b"&#0;", b"&#xD800;", b"&#1114112;", b"<table>", b"<td rowspan=70000>", b"</p>", b"{", b"}",
    b"{\\rtf1", b"\\u-1?", b"\\bin9999", b"\\'e9", b"[", b"]", b"[^1]", b"|", b"|---|", b"```", b"# ", b"- ", b": ",
    b"===", b".. table::", b"%PDF-1.7", b"endobj", b"stream", b"/Kids", b"xref", b"PK\x03\x04", b"PK\x05\x06",
    b"boundary=", b"Content-Type: ", b"=?utf-8?q?=", b"-->", b"00:00:01", "\u202e".encode(), "e\u0301".encode(),
    "\ufdfa".encode(), "\u200b".encode(),
)  # fmt: skip
"""What formats give a meaning to, and numbers at the ends of ranges."""
MOST = 6
"""Damages of one input."""


def damaged(data: bytes, drawn: Random, others: bytes = b"") -> bytes:
    """``data`` with a few changes: bits, cuts, copies, tokens, and pieces of ``others``."""
    made = bytearray(data)
    for _ in range(drawn.randint(1, MOST)):
        at = drawn.randint(0, len(made))
        end = min(len(made), at + drawn.choice([1, 2, 8, 60, 1000]))
        match drawn.randrange(8):
            case 0 if made:
                made[at - 1] ^= 1 << drawn.randrange(8)
            case 1:
                del made[at:end]
            case 2:
                made[at:at] = made[at:end] * drawn.choice([1, 2, 50])
            case 3:
                made[at:at] = drawn.choice(TOKENS)
            case 4:
                made[at:end] = drawn.choice(TOKENS) * drawn.choice([1, 1, 3, 200])
            case 5:
                start = drawn.randint(0, len(others))
                made[at:at] = others[start : start + drawn.choice([4, 40, 400])]
            case 6:
                made[at:end] = drawn.randbytes(end - at)
            case _:
                if drawn.random() < 0.2:
                    del made[at:]
    return bytes(made)


def damaged_package(data: bytes, drawn: Random) -> bytes:
    """A zip archive one part of which is damaged, gone, or there twice; the archive itself is whole."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as package, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as made:
        parts = [(part, package.read(part)) for part in package.infolist()]
        chosen = drawn.randrange(len(parts))
        for number, (part, content) in enumerate(parts):
            if number != chosen:
                made.writestr(part.filename, content)
            elif drawn.random() < 0.9:
                made.writestr(part.filename, damaged(content, drawn, parts[drawn.randrange(len(parts))][1]))
    return out.getvalue()


def soup(drawn: Random, words: tuple[str, ...], most: int) -> str:
    """Words in any order, some run together, some cut."""
    picked = (drawn.choice(words) for _ in range(drawn.randint(0, most)))
    return "".join(word[: drawn.randint(0, len(word))] if drawn.random() < 0.1 else word for word in picked)
