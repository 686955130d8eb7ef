"""Bytes to characters: by mark, label, as UTF-8, or by a guess."""

from __future__ import annotations

import codecs
import io
import re
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import BinaryIO

from clew.documents.parsed import Unreadable

_SAMPLE = 1 << 16
_MARKS = (  # UTF-32 first: its mark begins with that of UTF-16
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_ESCAPES = {b"\x1b$B": "iso2022_jp_ext", b"\x1b$@": "iso2022_jp_ext", b"\x1b$)C": "iso2022_kr"}
_CONTROLS = bytes(set(range(32)) - set(b"\t\n\v\f\r\x1b")) + b"\x7f"
_AS_BROWSERS = {
    "shift_jis": "cp932",
    "euc-kr": "cp949",
    "gbk": "gb18030",
    "gb18030": "gb18030",
    "big5": "big5hkscs",
    "euc-jp": "euc_jis_2004",
}
"""The Python codecs that read what the web calls so, where those of that name read less (WHATWG Encoding, §4.2)."""
_COMMON = (
    "cp1252", "cp1250", "iso8859-2", "cp1251", "cp1253", "cp1254", "cp1257", "koi8-r", "koi8-u", "cp932", "gb18030",
    "big5hkscs", "cp949", "cp1255", "cp1256", "euc_jis_2004", "cp874", "cp1258", "mac-roman", "cp850", "cp437", "cp852",
    "cp866", "iso8859-5", "mac-cyrillic", "iso8859-15", "iso8859-6",
)  # fmt: skip
"""What text without a declaration is written in, the most common first."""
_MIXED = re.compile(r"[A-Za-z][\u0370-\u0eff]|[\u0370-\u0eff][A-Za-z]")
"""A Latin letter beside one of another alphabet, as no word has."""
_TOLD = 3


@dataclass(frozen=True, slots=True)
class Decoded:
    """A text, and a note where its encoding was guessed."""

    text: str
    note: str = ""


def decode(data: bytes, *, charset: str | None = None, encoding: str | None = None) -> Decoded:
    """Bytes to text, by the first way that fits.

    These are a byte order mark, the ``encoding`` that a person set, the declared ``charset``, UTF-8, and a guess.
    Labels mean what they mean to browsers: "iso-8859-1" is windows-1252. Raises Unreadable where the data is binary,
    where it is not in the encoding that a person set, or where no encoding is sure enough.
    """
    for mark, marked in _MARKS:
        if data.startswith(mark):
            return Decoded(_strict(data, marked, f"It starts as {marked.removesuffix('-sig').upper()} but is not"))
    if encoding:
        return Decoded(_strict(data, codec(encoding), f"It is not in {encoding}, which was set"))
    if unmarked := _unmarked(data):
        return Decoded(_strict(data, unmarked, f"It looks like {unmarked.upper()} but is not"))
    for label in (charset, "utf-8"):
        if label:
            try:
                text = data.decode(codec(label))
            except (UnicodeError, LookupError):
                continue
            if _binary(data):
                raise Unreadable("It is a binary file, not text.")
            return Decoded(text)
    if _binary(data):
        raise Unreadable("It is a binary file, not text.")
    best, *others = _guessed(data)
    return Decoded(_strict(data, best, "Its encoding cannot be determined"), _note(best, others))


def common_encodings() -> list[str]:
    """Encodings other than UTF-8 by their web names, the most common first."""
    return [_shown(encoding) for encoding in _COMMON]


def _note(best: str, others: list[str]) -> str:
    also = f"; it also reads as {', '.join(_shown(other) for other in others[:_TOLD])}" if others else ""
    set_it = "Where letters are wrong, set it (--encoding; in the app, Encoding)."
    return f"Its encoding is guessed: {_shown(best)}{also}. {set_it}"


def _unmarked(data: bytes) -> str:
    """UTF-16 without a mark, of which every other byte of common text is 0, and ISO 2022, which says what it is in the
    text; "" for all else."""
    even, odd = data[:_SAMPLE:2], data[1:_SAMPLE:2]
    for zeros, others, name in ((odd, even, "utf-16-le"), (even, odd, "utf-16-be")):
        if len(data) > 3 and 2 * zeros.count(0) > len(zeros) and not others.count(0):
            return name
    return next((name for mark, name in _ESCAPES.items() if mark in data[:_SAMPLE] and data[:_SAMPLE].isascii()), "")


def lines_in_utf8(stream: BinaryIO, head: bytes, encoding: str | None) -> tuple[Callable[[int], bytes], str]:
    """The ``readline`` of a stream in UTF-8; guesses are noted.

    ``head`` is its beginning, by which it is known, or ``encoding``, a person's word. Raises Unreadable as ``decode``.
    """
    whole = head[: head.rfind(b"\n") + 1] or head
    marked = next((name for mark, name in _MARKS if head.startswith(mark)), "") or _unmarked(whole)
    note = ""
    if not marked and not encoding:
        wide = [line for line in whole.split(b"\n") if not line.isascii()]
        if len(wide) < 2 or any(map(_is_utf8, wide)) or _binary(whole):
            return stream.readline, ""  # a line with a fault is a fault of that line
        encoding, *others = _guessed(whole)
        note = _note(encoding, others)
    text = io.TextIOWrapper(stream, marked or codec(encoding or ""), newline="\n")
    return lambda size: text.readline(size).encode("utf-8", "replace"), note


def _is_utf8(data: bytes) -> bool:
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def codec(label: str) -> str:
    """The Python codec of what ``label`` means to browsers.

    Raises LookupError for a label that neither the web nor Python knows.
    """
    import webencodings

    found = webencodings.lookup(label)
    name = found.codec_info.name if found else label
    name = _AS_BROWSERS.get(found.name if found else name, name)
    info = codecs.lookup(name)
    if not info._is_text_encoding:
        raise LookupError(f"{label} is no encoding of text.")
    return info.name


def _strict(data: bytes, encoding: str, problem: str) -> str:
    try:
        return data.decode(encoding)
    except (UnicodeError, LookupError) as error:
        raise Unreadable(f"{problem}; save it as UTF-8.") from error


def _binary(data: bytes) -> bool:
    sample = data[:_SAMPLE]
    return len(sample) - len(sample.translate(None, _CONTROLS)) > len(sample) / 20


def _guessed(data: bytes) -> list[str]:
    """The encodings that text which is not UTF-8 can be in, the most plausible first.

    Raises Unreadable where the text is UTF-8 with faults (any other encoding would read, but as gibberish), or where
    none is plausible.
    """
    from chardet import detect_all

    bad = next(i for i, byte in enumerate(data) if byte >= 0x80)
    sample = data[max(0, bad - _SAMPLE // 2) : bad + _SAMPLE // 2]
    lenient = sample.decode("utf-8", "replace")
    faults = lenient.count("\ufffd")
    if sum(1 for c in lenient if c > "\x7f") - faults > faults:
        raise Unreadable("It is UTF-8 with invalid bytes; save it again as UTF-8.")
    guesses = detect_all(
        sample, ignore_threshold=True, compat_names=False, include_encodings=_COMMON, max_bytes=_SAMPLE
    )
    fitting: dict[str, tuple[bool, float]] = {}
    for guess in guesses:
        encoding = str(guess["encoding"])
        with suppress(LookupError, UnicodeError):
            fitting[encoding] = bool(_MIXED.search(data.decode(encoding))), -guess["confidence"]
    if not fitting:
        raise Unreadable("Its encoding cannot be determined (it is not valid UTF-8); save it as UTF-8.")
    return sorted(fitting, key=fitting.__getitem__)


def _shown(encoding: str) -> str:
    return encoding.replace("cp125", "windows-125").replace("cp932", "shift_jis").replace("cp949", "euc-kr")
