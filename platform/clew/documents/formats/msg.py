"""Messages that Outlook saved: the same as an e-mail."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from typing import Any

from clew.documents.encoding import decode
from clew.documents.format import Format, Input
from clew.documents.formats.eml import fuller, letter, written_plain
from clew.documents.package import OLE
from clew.documents.parsed import Parsed, Rejected, Unreadable
from clew.documents.web.blocks import blocks_of_html
from clew.text.normalise import normalise, one_line

_STREAM = "__substg1.0_"
_TELLS = {"From": "0C1A", "To": "0E04", "Cc": "0E03", "Subject": "0037"}
_PROPERTIES = "__properties_version1.0"
_HEAD, _ENTRY = 32, 16
"""Bytes before the properties of a message, and of each: its tag, its flags and its value (MS-OXMSG, 2.4)."""
_CODE_PAGES = (0x3FFD0003, 0x3FDE0003)
"""The tags of the code pages of a message and of its text on the internet."""
_CODECS = {1200: "utf-16-le", 20866: "koi8-r", 20932: "euc_jp", 50220: "iso2022_jp", 51932: "euc_jp", 51949: "euc_kr",
           65001: "utf-8", **{28590 + part: f"iso8859-{part}" for part in range(1, 16)}}  # fmt: skip
_DATE = re.compile(r"^Date:\s*(.+)$", re.MULTILINE | re.IGNORECASE)


def read(source: Input) -> Iterator[Parsed | Rejected]:
    """Read a message and its attachments. Raises Unreadable where it is damaged."""
    import olefile

    try:
        with olefile.OleFileIO(io.BytesIO(source.data)) as file:
            headers = {name: one_line(normalise(_text(file, [], tag))) for name, tag in _TELLS.items()}
            sent = _DATE.search(_text(file, [], "007D"))
            headers["Date"] = one_line(sent.group(1)) if sent else ""
            drafts = fuller(written_plain(_text(file, [], "1000")), blocks_of_html(_text(file, [], "1013")))
            folders = sorted({entry[0] for entry in file.listdir() if entry[0].startswith("__attach")})
            attached = [
                (
                    _text(file, [folder], "3707") or _text(file, [folder], "3704"),
                    _bytes(file, [folder, f"{_STREAM}37010102"]),
                )
                for folder in folders
            ]
    except (OSError, ValueError, IndexError) as error:
        raise Unreadable(f"The message is damaged ({one_line(str(error), 100).rstrip('.')}): save it anew.") from error
    yield from letter(source, headers, drafts, attached)


def _text(file: Any, folder: list[str], tag: str) -> str:
    """A property that is text, as Unicode (001F), in the code page of its time (001E), or as bytes (0102)."""
    if data := _bytes(file, [*folder, f"{_STREAM}{tag}001F"]):
        return data.decode("utf-16-le", "replace")
    data = _bytes(file, [*folder, f"{_STREAM}{tag}001E"]) or _bytes(file, [*folder, f"{_STREAM}{tag}0102"])
    if not data.strip(b"\0 "):
        return ""
    page = code_page(_bytes(file, [_PROPERTIES]))
    try:
        return decode(data, charset=page).text
    except Unreadable:
        return data.decode("cp1252", "replace")


def code_page(properties: bytes) -> str | None:
    """The codec of the code page that a message names, if any."""
    entries = (properties[at : at + _ENTRY] for at in range(_HEAD, len(properties), _ENTRY))
    values = {int.from_bytes(one[:4], "little"): int.from_bytes(one[8:12], "little") for one in entries}
    number = next((values[tag] for tag in _CODE_PAGES if values.get(tag)), 0)
    return _CODECS.get(number, f"cp{number}") if number else None


def _bytes(file: Any, path: list[str]) -> bytes:
    return bytes(file.openstream(path).read()) if file.exists(path) else b""


FORMAT = Format(
    "msg",
    "an Outlook message",
    "application/vnd.ms-outlook",
    read,
    recognise=lambda data: data.startswith(OLE) and _STREAM.encode("utf-16-le") in data,
)
