"""Numbers of headings and clauses that OpenDocument counts itself."""

from __future__ import annotations

import pytest

from tests.unit.documents.made import archive, one

NAMES = " ".join(
    f'xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"' for name in ("office", "text", "style")
)
LOEXT = 'xmlns:loext="urn:org:documentfoundation:names:experimental:office:xmlns:loext:1.0"'


def level(number: int, format: str, says: str = "", kind: str = "list-level-style-number") -> str:
    return f'<text:{kind} text:level="{number}" style:num-format="{format}" {says}/>'


OUTLINE = "".join(
    level(number, format, says, "outline-level-style")
    for number, format, says in (
        (1, "I", 'style:num-prefix="Article "'),
        (2, "1", 'text:display-levels="2"'),
        (3, "", ""),
    )
)
CLAUSES = (
    level(1, "1", 'style:num-suffix="."') + level(2, "1", 'text:display-levels="2"')
    + level(3, "a", 'style:num-prefix="(" style:num-suffix=")"')
)  # fmt: skip


def lines(body: str, clauses: str = CLAUSES) -> list[str]:
    styles = (
        f"<office:document-styles {NAMES}><office:styles><text:outline-style>{OUTLINE}</text:outline-style>"
        "</office:styles></office:document-styles>"
    )
    content = (
        f"<office:document-content {NAMES} {LOEXT}><office:automatic-styles>"
        f'<text:list-style style:name="L1">{clauses}</text:list-style></office:automatic-styles>'
        f"<office:body><office:text>{body}</office:text></office:body></office:document-content>"
    )
    kind = "application/vnd.oasis.opendocument.text"
    return one(archive({"mimetype": kind, "styles.xml": styles, "content.xml": content}), "a.odt").text.split("\n\n")


def h(level: int, text: str, says: str = "") -> str:
    return f'<text:h text:outline-level="{level}" {says}>{text}</text:h>'


def items(*inner: str, says: str = "") -> str:
    return f"<text:list {says}>{''.join(f'<text:list-item>{one}</text:list-item>' for one in inner)}</text:list>"


def p(text: str) -> str:
    return f"<text:p>{text}</text:p>"


CONTINUED = 'text:style-name="L1" text:continue-numbering="true"'


@pytest.mark.parametrize(
    ("following", "number"),
    [
        (CONTINUED, "2."),
        ('text:style-name="L1" text:continue-list="first"', "2."),
        ('text:style-name="L1"', "1."),
        ('text:style-name="L1" text:continue-list="gone"', "1."),
    ],
)
def test_clauses_are_numbered_by_their_list(following: str, number: str) -> None:
    inner = items(p("It begins in May."), p("It ends in June.") + p("Or later.") + items(p("by hand"), p("by post")))
    first = items(p("Lease") + inner, says='text:style-name="L1" xml:id="first"')
    assert lines(first + p("Between") + items(p("Rent"), says=following)) == [
        "1. Lease", "1.1 Lease: It begins in May.", "1.2 Lease: It ends in June.", "Lease: Or later.",
        "(a) Lease: by hand", "(b) Lease: by post", "Between", f"{number} Rent",
    ]  # fmt: skip


def test_an_item_that_only_holds_a_list_counts_for_nothing() -> None:
    first = items(p("Lease"), says='text:style-name="L1"')
    second = items(items(p("It ends in June.")), says=CONTINUED)
    assert lines(first + second + items(h(1, "Rent"), says=CONTINUED)) == [
        "1. Lease",
        "1.1 It ends in June.",
        "2. Rent",
    ]


def test_numbers_as_newer_programs_write_them_and_those_of_plain_lists() -> None:
    told = level(1, "1", 'loext:num-list-format="§ %1%"')
    assert lines(items(p("Lease"), says='text:style-name="L1"'), told) == ["§ 1 Lease"]
    assert lines(items(p("Moor"), p("Pay"), says='text:style-name="L1"'), level(1, "1")) == ["Moor", "Pay"]
    assert lines(items(p("Moor"), says='text:style-name="gone"')) == ["Moor"]
