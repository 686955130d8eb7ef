"""reStructuredText, by way of the HTML that docutils makes of it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from clew.documents.blocks import Draft, Layout
from clew.documents.encoding import decode
from clew.documents.format import Format, Input
from clew.documents.marked.plain_blocks import paragraphs
from clew.documents.marked.rst_directives import keeping_reader, know_directives
from clew.documents.metadata import add_line
from clew.documents.parsed import Parsed, headline, notes, title_of_name
from clew.documents.web.blocks import blocks_of_html, text_of_html
from clew.text.normalise import normalise, one_line
from clew.types import Json

_SAFE = {
    "file_insertion_enabled": False,
    "raw_enabled": False,
    "_disable_config": True,
    "report_level": 5,
    "halt_level": 5,
    "doctitle_xform": True,
    "embed_stylesheet": False,
    "smart_quotes": False,
    "footnote_references": "superscript",
    "footnote_backlinks": False,
    "toc_backlinks": False,
}


_ROLE = re.compile(r":([a-z][a-z:+-]{1,30}):`")
"""The name of a role, such as "ref" of ":ref:`start <page>`"."""
_DIRECTIVE = re.compile(r"^[ \t]*\.\.[ \t]+([a-z][\w:+.-]{0,40})::(?=\s|$)", re.MULTILINE)
"""The name of a directive, such as "glossary" of ".. glossary::"."""
_TARGET = re.compile(r"\s*<[^<>]*>\Z")
"""What a role leads to, behind the words that are shown."""
_MARK = re.compile(
    r'<span class="label">(?:<span class="fn-bracket">\[</span>)?[\d*†‡#]{0,5}'
    r'(?:<span class="fn-bracket">\]</span>)?</span>'
)
"""The mark before the text of a footnote."""


def read(source: Input) -> Iterator[Parsed]:
    """Read reStructuredText; it includes nothing.

    What docutils refuses, such as a table whose lines do not meet, stays as it is written, and a note counts it. Where
    docutils fails the whole is plain text, and a note says so.
    """
    from docutils.core import publish_parts

    decoded = decode(source.data, charset=source.charset, encoding=source.encoding)
    _know_roles(set(_ROLE.findall(decoded.text)))
    know_directives(set(_DIRECTIVE.findall(decoded.text)))
    reader = keeping_reader()
    try:
        parts = publish_parts(decoded.text, reader=reader, writer="html5", settings_overrides=_SAFE)
    except Exception as error:  # docutils has faults of its own, and lets those of a text through
        layout = Layout(paragraphs(decoded.text))
        why = f"Read as plain text: docutils cannot read it ({one_line(str(error), 100) or type(error).__name__})."
        title = headline(layout.text) or title_of_name(source.name)
        yield Parsed(title, layout.text, notes=notes(decoded.note, why), blocks=tuple(layout.blocks))
        return
    metadata, body = _docinfo(parts["docinfo"]), parts["body"]
    title = one_line(normalise(text_of_html(parts["title"])))
    heads = [Draft(title, "heading", 1), Draft(one_line(normalise(text_of_html(parts["subtitle"]))), "heading", 2)]
    layout = Layout([*heads, *blocks_of_html(_MARK.sub("", body))])
    add_line(layout, metadata)
    title = title or layout.heading() or title_of_name(source.name)
    file_notes = notes(
        decoded.note, f"Read as it is written: what is no valid markup ({reader.kept:,})." * bool(reader.kept)
    )
    yield Parsed(title, layout.text, notes=file_notes, metadata=metadata, blocks=tuple(layout.blocks))


def _know_roles(names: set[str]) -> None:
    """Let docutils show the words of roles that only other programs know, which make links of them."""
    from docutils import nodes
    from docutils.parsers.rst import roles
    from docutils.parsers.rst.languages import en

    def words(name: str, raw: str, text: str, *_: object) -> tuple[list[nodes.Node], list[nodes.system_message]]:
        return [nodes.Text(_TARGET.sub("", nodes.unescape(text)).lstrip("!"))], []

    for name in names - en.roles.keys() - roles._role_registry.keys():
        roles.register_local_role(name, words)


def _docinfo(written: str) -> Json:
    """The fields at the top of a document: who wrote it and when, and whatever else it says of itself."""
    found: Json = {}
    for part in written.split("<dt")[1:]:
        name, _, value = part.partition("</dt>")
        # Each of several authors is a paragraph.
        pieces = value.split("</p>") if 'class="authors' in name else [value]
        name, *values = (one_line(normalise(text_of_html(piece))) for piece in (f"<p{name}</p>", *pieces))
        value = "; ".join(filter(None, values))
        if name.strip(": ") and value:
            field = name.rstrip(": ").lower()
            found[field] = f"{found[field]}; {value}" if field in found else value
    return found


FORMAT = Format(
    "rst", "reStructuredText", "text/x-rst", read, endings=("rest",), media_types=("text/prs.fallenstein.rst",)
)
