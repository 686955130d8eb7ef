"""Plain text: bytes to characters, and the one normal form that every offset refers to."""

from __future__ import annotations

import codecs

from clew.ingest.formats.parsed import Parsed, Unreadable, headline, title_of_name
from clew.text.normalise import normalise

_SAMPLE = 1 << 16
_MARKS = (  # UTF-32 first: its mark begins with that of UTF-16
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_CONTROLS = bytes(set(range(32)) - set(b"\t\n\v\f\r\x1b")) + b"\x7f"
_MOST_CHAOS = 0.1


def parse_text(data: bytes, name: str, *, charset: str | None = None) -> Parsed:
    """Read plain text; its title is its first line where that stands alone, else the file's name.

    Raises Unreadable where the bytes are no text, or no encoding fits them.
    """
    text = normalise(decode(data, charset=charset))
    return Parsed(headline(text) or title_of_name(name), text)


def decode(data: bytes, *, charset: str | None = None) -> str:
    """Bytes to text: by byte order mark, by the declared ``charset``, as UTF-8, else as charset-normalizer tells.

    Raises Unreadable where the data is binary, or where no encoding is sure enough.
    """
    for mark, marked in _MARKS:
        if data.startswith(mark):
            return _strict(data, marked, f"It starts as {marked.removesuffix('-sig').upper()} but is not")
    for encoding in (charset, "utf-8"):
        if encoding:
            try:
                text = data.decode(encoding)
            except (UnicodeError, LookupError):
                continue
            if _binary(data):
                raise Unreadable("It is a binary file, not text.")
            return text
    if _binary(data):
        raise Unreadable("It is a binary file, not text.")
    return _strict(data, _guessed(data), "Its encoding cannot be told")


def _strict(data: bytes, encoding: str, problem: str) -> str:
    try:
        return data.decode(encoding)
    except (UnicodeError, LookupError) as error:
        raise Unreadable(f"{problem}; save it as UTF-8.") from error


def _binary(data: bytes) -> bool:
    sample = data[:_SAMPLE]
    return len(sample) - len(sample.translate(None, _CONTROLS)) > len(sample) / 20


def _guessed(data: bytes) -> str:
    """The encoding of text that is not UTF-8.

    Raises Unreadable where the text is UTF-8 with faults (any other encoding would read, but as gibberish), or where
    no encoding is sure enough.
    """
    from charset_normalizer import from_bytes

    bad = next(i for i, byte in enumerate(data) if byte >= 0x80)
    sample = data[max(0, bad - _SAMPLE // 2) : bad + _SAMPLE // 2]
    lenient = sample.decode("utf-8", "replace")
    faults = lenient.count("\ufffd")
    if sum(1 for c in lenient if c > "\x7f") - faults > faults:
        raise Unreadable("It is UTF-8 with invalid bytes; save it again as UTF-8.")
    matches = from_bytes(sample)
    best = matches.best()
    if best is None or best.chaos > _MOST_CHAOS:
        raise Unreadable("Its encoding cannot be told (it is not valid UTF-8); save it as UTF-8.")
    # Code pages of one family often fit alike; the most common of them is then the safest guess.
    ties = (match for match in matches if (match.chaos, match.coherence) == (best.chaos, best.coherence))
    return "cp1252" if any("cp1252" in match.could_be_from_charset for match in ties) else best.encoding
