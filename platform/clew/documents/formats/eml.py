"""E-mail: headers, message, and attachments as documents of their own."""

from __future__ import annotations

import re
from collections.abc import Iterator
from email import policy
from email.message import EmailMessage
from email.parser import BytesParser
from email.utils import parsedate_to_datetime
from itertools import groupby
from operator import itemgetter

from clew.documents.blocks import Draft, Layout, text_of
from clew.documents.encoding import decode
from clew.documents.format import Format, Input
from clew.documents.marked.plain_blocks import paragraphs
from clew.documents.members import members
from clew.documents.parsed import Parsed, Rejected, title_of_name
from clew.documents.web.blocks import blocks_of_html
from clew.text.normalise import normalise, one_line
from clew.types import Json

_HEADERS = ("From", "To", "Cc", "Date", "Subject")
_LONGEST_HEADER = 500
_FAR_MORE = 2
"""How many times as long as its plain form a message's other one is where the plain one is but its beginning."""
_DEEPEST = 20
_QUOTED = re.compile(r"(?:>[ \t]?)+")


def read(source: Input) -> Iterator[Parsed | Rejected]:
    """Read a message in its fuller form, then its attachments."""
    message = BytesParser(EmailMessage, policy=policy.default).parsebytes(source.data)
    headers = {name: one_line(normalise(str(message.get(name, ""))), _LONGEST_HEADER) for name in _HEADERS}
    attached: list[tuple[str, bytes]] = []
    drafts = _text_of_part(message, source, attached)
    yield from letter(source, headers, drafts, [(name, data) for name, data in attached if data])


def _text_of_part(part: EmailMessage, source: Input, attached: list[tuple[str, bytes]], depth: int = 0) -> list[Draft]:
    """What a part of a message says, piece by piece; what is attached to it goes to ``attached``.

    Programs write a text in pieces around a picture, put attachments beside one form of it alone, and lists of people
    add a footer, so that the first text is not the whole.
    """
    kind = part.get_content_type()
    if part.is_multipart() and kind != "message/rfc822" and depth < _DEEPEST:
        inner = [one for one in part.iter_parts() if isinstance(one, EmailMessage)]
        pieces = [_text_of_part(one, source, attached, depth + 1) for one in inner]
        return _one_form(inner, pieces) if kind == "multipart/alternative" else _each_once(pieces)
    if part.is_attachment() or part.get_filename() or kind not in {"text/plain", "text/html"}:
        attached.append(_attached(part))
        return []
    written = _decoded(part, source)
    if kind == "text/html":
        return blocks_of_html(written)
    return written_plain(written)


def _one_form(parts: list[EmailMessage], pieces: list[list[Draft]]) -> list[Draft]:
    """The fuller form of a text that a message has in several."""
    plain: list[Draft] = []
    rich: list[Draft] = []
    for part, piece in zip(parts, pieces, strict=True):
        if part.get_content_type() == "text/plain":
            plain += piece
        else:
            rich = piece or rich
    return fuller(plain, rich)


def _each_once(pieces: list[list[Draft]]) -> list[Draft]:
    """The pieces of a text one after the other, without those that say again what stands before them."""
    found: list[Draft] = []
    for piece in pieces:
        before, text = (" ".join(text_of(some).split()) for some in (found, piece))
        found += piece if text not in before else []
    return found


def written_plain(written: str) -> list[Draft]:
    """The blocks of a plain text, quoted stretches apart."""
    return [draft for level in _levels(written) for draft in paragraphs(level)]


def fuller(plain: list[Draft], rich: list[Draft]) -> list[Draft]:
    """The plain form of a text, unless the other has more."""
    texts = [" ".join(draft.text for draft in some) for some in (plain, rich)]
    words, others = (set(text.split()) for text in texts)
    sizes = [len(text) for text in texts]
    is_stub = sizes[0] <= sizes[1] and 2 * len(words & others) < len(words)  # "Please view this in HTML"
    has_table = any(draft.kind == "row" for draft in rich) and 2 * sizes[1] > sizes[0]
    return rich if not plain or is_stub or has_table or sizes[1] > _FAR_MORE * sizes[0] else plain


def _levels(written: str) -> Iterator[str]:
    """A plain text in stretches that are quoted equally deep, without the signs that say so."""
    lines = ((_QUOTED.match(line), line) for line in written.splitlines())
    leveled = ((mark[0].count(">"), line[mark.end() :]) if mark else (0, line) for mark, line in lines)
    for _, stretch in groupby(leveled, key=itemgetter(0)):
        yield "\n".join(line for _, line in stretch)


def _attached(part: EmailMessage) -> tuple[str, bytes]:
    """The name and the bytes of what is attached; a message that was passed on is a file of its own."""
    name = part.get_filename() or ""
    if part.get_content_type() == "message/rfc822":
        inner = part.get_payload(0)
        subject = (
            one_line(str(inner.get("Subject", "")), 80).replace("/", " ") if isinstance(inner, EmailMessage) else ""
        )
        return (name or f"{subject or 'message'}.eml"), inner.as_bytes() if isinstance(inner, EmailMessage) else b""
    data = part.get_payload(decode=True)
    return name, data if isinstance(data, bytes) else b""


def letter(
    source: Input, headers: dict[str, str], drafts: list[Draft], attached: list[tuple[str, bytes]]
) -> Iterator[Parsed | Rejected]:
    """A message, led by its headers, and its attachments."""
    shown = {name: value for name, value in headers.items() if value}
    lines = "\n".join(f"{name}: {value}" for name, value in shown.items())
    names = ", ".join(name for name, _ in attached if name)
    lines += f"\nAttached: {names}" if names else ""
    metadata: Json = {"author": shown["From"]} if "From" in shown else {}
    metadata |= {"date": _iso(shown["Date"])} if "Date" in shown else {}
    title = shown.get("Subject") or title_of_name(source.name)
    layout = Layout([Draft(lines, "metadata"), *drafts])
    yield Parsed(one_line(title), layout.text, metadata=metadata, blocks=tuple(layout.blocks))
    yield from members(source, attached)


def _iso(written: str) -> str:
    """A date of a header in ISO's form, which can be compared; as it is where it is none."""
    try:
        return parsedate_to_datetime(written).isoformat(" ", "minutes")
    except ValueError:
        return written


def _decoded(body: EmailMessage, source: Input) -> str:
    data = body.get_payload(decode=True)
    if not isinstance(data, bytes) or not data.strip():
        return ""
    return decode(data, charset=body.get_content_charset(), encoding=source.encoding).text


FORMAT = Format("eml", "an e-mail", "message/rfc822", read)
