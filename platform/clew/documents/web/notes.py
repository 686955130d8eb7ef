"""Notes of web pages and e-books: each stands after the block that its mark is in, as those of Word do.

What is a note its role or class tells (WAI-ARIA's DPUB module, EPUB's structural semantics), or a link that leads back
to the mark. Entries of a bibliography, which many marks may lead to, stay in their list.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from itertools import islice
from typing import Any

from clew.documents.web.marks import HEADINGS, is_note_mark

NOTE_ROLE = "doc-footnote"
"""The role of the element that holds a note in its new place."""

_NOTES = re.compile(r"foot-?note|end-?note|rear-?note|doc-footnote|doc-endnote", re.IGNORECASE)
_SOURCES = re.compile(r"cit(?:e|ation)|bib|\brefs?\b|reference", re.IGNORECASE)
_BACK = re.compile(r"back-?(?:link|ref)", re.IGNORECASE)
_HOLDS = frozenset({"li", "aside", "p", "div", "dd", "section"})
_AFTER = frozenset({"p", "h1", "h2", "h3", "h4", "h5", "h6", "pre", "address"})
_WITHIN = frozenset({"li", "dd", "div", "section", "article", "main", "body", "blockquote", "aside"})
_WHOLE = {"td": "table", "th": "table", "caption": "table", "dt": "dl", "summary": "details", "figcaption": "figure"}
"""Blocks within which no other may stand, and what a note stands after in their place."""
_MOST_MARKS = 20_000
_MOST_ABOVE = 30
_MOST_PARTS = 500
_LONGEST_NOTE = 20_000
_LONGEST_LINK = 20
_BRACKETS = " \t\n[]().:"

Ids = Mapping[str, Any]
Elsewhere = Callable[[str], Ids]
"""The elements of another file of the same book by their ids, none where there is no such file."""


def ids_of(root: Any) -> dict[str, Any]:
    """The elements of a page by their ids."""
    found: dict[str, Any] = {}
    for element in root.iter():
        if isinstance(element.tag, str):
            name = element.get("id") or (element.get("name") if element.tag == "a" else None)
            if name:
                found.setdefault(name, element)
    return found


def place_notes(root: Any, elsewhere: Elsewhere | None = None) -> None:
    """Put each note after the block of the first mark that leads to it; those without a mark stay where they are."""
    marks = [link for link in islice(root.iter("a"), _MOST_MARKS) if _leads_to_note(link)]
    if not marks:
        return
    own = ids_of(root)
    found: dict[Any, tuple[Any, Any]] = {}
    last: dict[Any, Any] = {}
    laid_out: dict[Any, bool] = {}
    emptied = []
    for mark in marks:
        file, _, fragment = mark.get("href", "").partition("#")
        target = (elsewhere(file) if elsewhere and file else {} if file else own).get(fragment)
        if target is not None and target not in found:
            found[target] = mark, _note_at(target, mark)
    shared = Counter(note for _, note in found.values())
    for mark, note in found.values():
        place = _place_of(mark, laid_out)
        if note is None or shared[note] > 1 or place is None:
            continue  # what several marks lead into holds several notes, and nothing parts them
        if note in (place, *islice(place.iterancestors(), _MOST_PARTS)):
            continue
        emptied.append(note.getparent())
        moved = _moved(note, mark)
        if place in last:
            last[place].addnext(moved)
        elif place.tag in _WITHIN:
            place.append(moved)
        else:
            moved.tail, place.tail = place.tail, None
            place.addnext(moved)
        last[place] = moved
    for parent in dict.fromkeys(emptied):
        _tidy(parent)


def _leads_to_note(link: Any) -> bool:
    """Whether a link may be the mark of a note; a raised one to a place on a page is."""
    around = link.getparent()
    is_raised = (around is not None and around.tag == "sup") or link.find(".//sup") is not None
    short = len(_text(link)) <= _LONGEST_LINK
    return "#" in link.get("href", "") and short and (is_raised or is_note_mark(link))


def _note_at(target: Any, mark: Any) -> Any:
    """The note that a mark leads to; None where it leads to something else."""
    above = [target, *islice(target.iterancestors(), _MOST_ABOVE)]
    note = next((one for one in above if one.tag in _HOLDS), None)
    if note is None or note.getparent() is None:
        return None
    item = note.getparent()
    if note.tag == "p" and item.tag in {"li", "aside", "dd"} and next(item.iterchildren("p")) is note:
        note = item
    parts = list(islice(note.iter(), _MOST_PARTS))
    if len(parts) == _MOST_PARTS or len(_text(note)) > _LONGEST_NOTE or any(one.tag in HEADINGS for one in parts):
        return None
    told = [" ".join(one.get(name) or "" for name in ("role", "class", "epub:type")) for one in (note, *above[:4])]
    if any(map(_NOTES.search, told)):
        return note
    named = [*told, *((one.get("id") or "") for one in (note, target))]
    names = set(_names_of(mark))
    leads_back = any(one.get("href", "").rpartition("#")[2] in names for one in parts if one.tag == "a")
    return note if leads_back and not any(map(_SOURCES.search, named)) else None


def _names_of(mark: Any) -> Iterator[str]:
    """The ids by which something may lead to a mark: its own, and those of what stands right around or in it."""
    for element in (mark, *islice(mark.iterancestors("sup", "span"), 2), *islice(mark.iterdescendants(), 3)):
        for name in ("id", "name"):
            if isinstance(element.tag, str) and (value := element.get(name)):
                yield value


def _place_of(mark: Any, laid_out: dict[Any, bool]) -> Any:
    """The block that a note is to stand after, or at the end of; None where there is none.

    ``laid_out`` keeps of each table whether a page is laid out in it; after any other a note stands as a whole.
    """
    above = list(islice(mark.iterancestors(), _MOST_ABOVE))
    found = next((one for one in above if one.tag in _AFTER or one.tag in _WITHIN or one.tag in _WHOLE), None)
    for table in (one for one in above if one.tag == "table"):
        if table not in laid_out:
            laid_out[table] = table.find(".//table") is not None or len(list(table.iter("p", *HEADINGS))) > len(
                list(table.iter("td", "th"))
            )
        if not laid_out[table]:
            return table
    if found is not None and found.tag in _WHOLE:
        return next((one for one in above if one.tag == _WHOLE[found.tag]), None)
    return found


def _moved(note: Any, mark: Any) -> Any:
    """The note, taken from its place, without its number and what leads back from it."""
    names, number = set(_names_of(mark)), _text(mark).strip(_BRACKETS)
    for link in list(note.iter("a")):
        told = f"{link.get('role', '')} {link.get('class', '')}"
        back = link.get("href", "").rpartition("#")[2] in names or _BACK.search(told)
        if back and len(_text(link)) <= _LONGEST_LINK:
            _drop(link)
    moved = note.makeelement("aside", {"role": NOTE_ROLE})
    _drop(note)
    moved.text = note.text
    moved.extend(list(note))
    first = moved[0] if len(moved) and not (moved.text or "").strip() else None
    while first is not None and first.tag in {"p", "div"} and len(first) and not (first.text or "").strip():
        first = first[0]
    if first is not None and number and _text(first).strip(_BRACKETS) in {number, ""} and first.tag in {"sup", "span"}:
        _drop(first)
    return moved


def _tidy(parent: Any) -> None:
    """Take away what stood around notes, with its heading, where nothing is left of it."""
    while parent is not None and parent.tag in {"ol", "ul", "dl", "section", "div", "aside"}:
        headings = list(islice(parent.iter(*HEADINGS), 2))
        if _text(parent).strip() != (_text(headings[0]).strip() if headings else "") or len(headings) > 1:
            return
        above, before, after = parent.getparent(), parent.getprevious(), parent.getnext()
        if above is None:
            return
        alone = after is None or after.tag in HEADINGS
        if not headings and alone and before is not None and before.tag in HEADINGS and not (before.tail or "").strip():
            _drop(before)
        _drop(parent)
        parent = above


def _drop(element: Any) -> None:
    """Take an element away, but not what comes after it."""
    parent, before, tail = element.getparent(), element.getprevious(), element.tail
    if tail and before is not None:
        before.tail = (before.tail or "") + tail
    elif tail:
        parent.text = (parent.text or "") + tail
    parent.remove(element)


def _text(element: Any) -> str:
    """The text of an element, as far as a note goes."""
    parts, size = [], 0
    for piece in element.itertext():
        parts.append(piece)
        size += len(piece)
        if size > _LONGEST_NOTE or len(parts) > _LONGEST_NOTE:
            break
    return "".join(parts)
