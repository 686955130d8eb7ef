"""E-mail as programs write it: two forms of a text, texts in pieces, quoted answers."""

from __future__ import annotations

from email.message import EmailMessage
from email.mime.base import MIMEBase
from email.mime.multipart import MIMEMultipart
from email.mime.text import MIMEText

import pytest

from clew.documents.parsed import Parsed
from tests.unit.documents.made import items

ROWS = "<table><tr><th>Berth<th>Depth<tr><td>North<td>4 m<tr><td>South<td>6 m</table>"


def said(message: EmailMessage | MIMEBase) -> list[str]:
    """The blocks of a message, without its headers."""
    first = items(message.as_bytes(), "x.eml")[0]
    assert isinstance(first, Parsed)
    return first.text.split("\n\n")[1:]


def two_forms(plain: str, html: str) -> MIMEMultipart:
    message = MIMEMultipart("alternative")
    message["Subject"] = "Berths"
    message.attach(MIMEText(plain, "plain", "utf-8"))
    message.attach(MIMEText(html, "html", "utf-8"))
    return message


@pytest.mark.parametrize(
    ("plain", "html", "expected"),
    [
        (" \n\n", "<p>The north berth is free.</p>", ["The north berth is free."]),
        ("Your program shows no HTML.", "<p>The north berth, which Ida Berg let, is free again.</p>",
         ["The north berth, which Ida Berg let, is free again."]),
        ("Berths:\n\nBerth\n\nDepth\n\nNorth\n\n4 m\n\nSouth\n\n6 m\n", f"<p>Berths:</p>{ROWS}",
         ["Berths:", "Berth: North; Depth: 4 m.", "Berth: South; Depth: 6 m."]),
        ("The north berth is free.", "<p>The north berth is <b>free</b>.</p><p>Ad</p>", ["The north berth is free."]),
    ],
    ids=["blank", "only says that there is another", "a table", "the same"],
)  # fmt: skip
def test_of_two_forms_the_one_that_says_more_is_read(plain: str, html: str, expected: list[str]) -> None:
    assert said(two_forms(plain, html)) == expected
