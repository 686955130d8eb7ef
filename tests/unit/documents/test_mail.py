"""E-mail as programs write it: two forms of a text, texts in pieces, quoted answers."""

from __future__ import annotations

from email.message import EmailMessage
from email.mime.application import MIMEApplication
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


def test_a_text_in_pieces_around_a_file_is_one_text() -> None:
    message = MIMEMultipart("mixed")
    message["Subject"] = "Berths"
    message.attach(two_forms("The plan is below.", "<p>The plan is below.</p>"))
    message.attach(MIMEApplication(b"x", "octet-stream", name="plan.bin"))
    message.attach(MIMEText("The fee is 70 crowns.", "plain"))
    assert said(message) == ["The plan is below.", "The fee is 70 crowns."]


def test_what_is_attached_to_one_form_of_a_text_is_read() -> None:
    rich = MIMEMultipart("mixed")
    rich.attach(MIMEText("<p>The list is here.</p>", "html"))
    listed = MIMEText("berth;fee\nNorth;70\n", "csv")
    listed.add_header("Content-Disposition", "attachment", filename="fees.csv")
    rich.attach(listed)
    message = MIMEMultipart("alternative")
    message["Subject"] = "Berths"
    message.attach(MIMEText("The list is here.", "plain"))
    message.attach(rich)
    letter, fees = items(message.as_bytes(), "x.eml")
    assert isinstance(letter, Parsed)
    assert isinstance(fees, Parsed)
    assert letter.text.endswith("Attached: fees.csv\n\nThe list is here.")
    assert fees.text == "berth: North, fee: 70."


def test_quoted_lines_lose_their_signs_and_stand_apart() -> None:
    message = EmailMessage()
    message["Subject"] = "Berths"
    message.set_content("It does.\nIda wrote:\n> The lease of the berth ends\n> on 3 May?\n>> Who asks?\n> I do.\n")
    assert said(message) == [
        "It does.\nIda wrote:",
        "The lease of the berth ends\non 3 May?",
        "Who asks?",
        "I do.",
    ]
