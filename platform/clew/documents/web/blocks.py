"""Web pages and pieces of them as blocks."""

from __future__ import annotations

from collections import Counter
from typing import Any

from clew.documents.blocks import Draft, text_of
from clew.documents.formula import mathml
from clew.documents.marks import HIDDEN, STRUCK
from clew.documents.markup import is_markup, without_signs
from clew.documents.web.boilerplate import left_out_for
from clew.documents.web.inline import raised_in, stands_apart, visible
from clew.documents.web.pictures import described, with_pictures
from clew.documents.web.tables import rows_of
from clew.documents.web.tree import tree_of
from clew.documents.web.writer import Writer

_NOTES = frozenset({"doc-footnote", "doc-endnote", "footnote", "endnote"})
"""Roles (WAI-ARIA) and types (EPUB) of notes."""


def blocks_of_html(markup: str) -> list[Draft]:
    """The blocks of a piece of markup."""
    return blocks_of_tree(tree_of(markup))


def blocks_of_tree(root: Any) -> list[Draft]:
    """The blocks of a tree; none where there is none."""
    return [] if root is None else blocks_under(root, Counter())


def text_of_html(markup: str) -> str:
    """The text of a piece of markup, block by block."""
    return text_of(blocks_of_html(markup))


def plain(text: str) -> str:
    """A value's text without markup, parsed in this process."""
    return (text_of_html(text) or text) if is_markup(text) else without_signs(text)


def blocks_under(root: Any, counts: Counter[str]) -> list[Draft]:
    """The blocks under ``root``; iterative, as trees may be very deep.

    ``counts`` gains what is left out though the author wrote it.
    """
    from lxml import etree

    writer = Writer()
    notes_from: list[tuple[Any, int]] = []
    pictures: list[tuple[int, Draft]] = []
    walk = etree.iterwalk(root, events=("start", "end"))
    for event, element in walk:
        tag = element.tag
        if event == "end":
            writer.close(tag)
            if notes_from and notes_from[-1][0] is element:
                writer.mark_notes(notes_from.pop()[1])
            if element is not root:
                writer.run.append(element.tail or "")
            continue
        if element is not root and (why := left_out_for(element)):
            counts[why] += why in {STRUCK, HIDDEN}
            walk.skip_subtree()
            continue
        writer.open(tag)
        if tag == "span" and stands_apart(element, "".join(writer.run[-3:])):
            writer.run.append(" ")
        if element.get("role") in _NOTES or element.get("epub:type") in _NOTES:
            notes_from.append((element, len(writer.blocks)))
        if _read_whole(element, writer):
            walk.skip_subtree()
        elif tag == "img":
            place = len(writer.blocks) + any(map(str.strip, writer.run))
            pictures += ((place, one) for one in described(element))
        else:
            writer.run.append(element.text or "")
    writer.flush()
    return with_pictures(writer.blocks, pictures)


def _read_whole(element: Any, writer: Writer) -> bool:
    """Whether an element was read with all that is in it: code, raised text, a formula, a table of data."""
    tag = element.tag
    if tag == "pre":
        writer.blocks.append(Draft(visible(element), "code"))
    elif tag == "sup":
        writer.run.append(raised_in(element))
    elif tag == "math":
        writer.run.append(mathml(element))
    elif tag == "table" and (rows := rows_of(element, blocks_of_tree)):
        writer.blocks.extend(rows)
    else:
        return False
    return True
