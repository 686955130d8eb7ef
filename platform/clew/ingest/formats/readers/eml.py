"""E-mail: who wrote to whom and when, the message, and what is attached as documents of its own."""

from __future__ import annotations

from collections.abc import Iterator
from email import policy
from email.message import EmailMessage
from email.parser import BytesParser
from email.utils import parsedate_to_datetime

from clew.ingest.formats.blocks import Draft, Layout
from clew.ingest.formats.encoding import decode
from clew.ingest.formats.format import Format, Input
from clew.ingest.formats.members import members
from clew.ingest.formats.parsed import Parsed, Rejected, title_of_name
from clew.ingest.formats.plain_blocks import paragraphs
from clew.ingest.formats.readers.html import blocks_of_html
from clew.text.normalise import normalise, one_line
from clew.types import Json

_HEADERS = ("From", "To", "Cc", "Date", "Subject")
_LONGEST_HEADER = 500


def read(source: Input) -> Iterator[Parsed | Rejected]:
    """Read a message: plain text where it has one, else its HTML; then its attachments."""
    message = BytesParser(EmailMessage, policy=policy.default).parsebytes(source.data)
    headers = {name: one_line(normalise(str(message.get(name, ""))), _LONGEST_HEADER) for name in _HEADERS}
    body = message.get_body(("plain", "html"))
    drafts: list[Draft] = []
    if isinstance(body, EmailMessage):
        written = _decoded(body, source)
        drafts = blocks_of_html(written) if body.get_content_subtype() == "html" else paragraphs(written)
    attached = [_attached(part) for part in message.iter_attachments() if isinstance(part, EmailMessage)]
    yield from letter(source, headers, drafts, [(name, data) for name, data in attached if data])


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
    told = {name: value for name, value in headers.items() if value}
    lines = "\n".join(f"{name}: {value}" for name, value in told.items())
    names = ", ".join(name for name, _ in attached if name)
    lines += f"\nAttached: {names}" if names else ""
    metadata: Json = {"author": told["From"]} if "From" in told else {}
    metadata |= {"date": _iso(told["Date"])} if "Date" in told else {}
    title = told.get("Subject") or title_of_name(source.name)
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
