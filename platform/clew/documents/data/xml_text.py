"""The text within elements of XML, and their values.

JATS, DocBook and TEI write inside a sentence what belongs above or below it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from clew.documents.formula import mathml
from clew.documents.marks import is_reference, raised

NOTES = frozenset({"footnote", "fn", "note"})
"""What is a note where it stands inside a sentence."""
_RAISED = frozenset({"sup", "superscript"})
_DELETED = frozenset({"del", "sic", "orig", "tex-math"})
"""What a scholar strikes or puts right, and a formula that is there a second time."""
_MARKS = frozenset({"bibr", "fn", "table-fn"})
_MARK = re.compile(r"[\[(]?[\d,;–—*†‡§\s-]*[\])]?|[a-z]")
_EMPTIED = re.compile(r"\s?[\[(][\s,;–—-]*[\])]")
_QUANTITY = re.compile(r"[+-]?\d[\d.,]*")
_ABOUT = frozenset({"id", "lang", "space", "base", "schemaLocation"})
"""Attributes that say how a value is kept."""
_NAMES = "name"
"""The attribute that is what a value is called, whatever its element."""
_FORMS = frozenset({"html", "xhtml", "text"})
"""What a value says of its own form, as those of feeds do."""
_LONGEST_UNIT = 10


def name_of(element: Any) -> str:
    """What an element is called, without its namespace; "" for a remark."""
    return element.tag.rpartition("}")[2] if isinstance(element.tag, str) else ""


def flat(element: Any) -> str:
    """The text of an element on one line, without its notes."""
    if not len(element):
        return " ".join((element.text or "").split())
    parts: list[str] = []
    gone = _gather(element, parts)
    text = " ".join("".join(parts).split())
    return _EMPTIED.sub("", text) if gone else text


def notes_in(element: Any) -> list[str]:
    """The notes that stand in an element."""
    return [text for one in element.iterdescendants() if _is_note(one) and (text := flat(one))]


def _gather(element: Any, parts: list[str]) -> bool:
    """Put the pieces of a text together; whether a mark of a note has gone."""
    from lxml import etree

    gone = False
    walk = etree.iterwalk(element, events=("start", "end"))
    for event, one in walk:
        if event == "end":
            if one is not element:
                parts.append(one.tail or "")
            continue
        if one is element or not isinstance(one.tag, str):
            parts.append((one.text or "") if one is element else "")
            continue
        instead = _instead(one)
        if instead is None:
            parts.append(one.text or "")
            continue
        gone = gone or (not instead and name_of(one) == "xref")
        parts.append(instead)
        walk.skip_subtree()
    return gone


def _instead(element: Any) -> str | None:
    """What stands in place of an element; None where that is its text."""
    name = name_of(element)
    if name == "xref" and element.get("ref-type") in _MARKS and _MARK.fullmatch("".join(element.itertext())):
        return ""
    if name in _RAISED or (name == "hi" and "sup" in (element.get("rend") or "")):
        text = "".join(element.itertext()).strip()
        is_mark = is_reference(text) or any(name_of(one) == "xref" for one in element.iter())
        return "" if is_mark else raised(text)
    if name == "math":
        return mathml(element)
    if name in _DELETED and (name == "del" or len(element.getparent()) > 1):
        return ""
    if _is_note(element):
        return ""
    return " " if name in {"lb", "br", "break"} else None


def _is_note(element: Any) -> bool:
    """Whether an element is a note inside a text, which goes on behind it or came before it."""
    above = element.getparent()
    if name_of(element) not in NOTES or above is None:
        return False
    return bool((element.tail or "").strip() or (above.text or "").strip())


def attributes_of(element: Any) -> list[tuple[str, str]]:
    """The attributes that say something of a value, by their names."""
    pairs = ((key.rpartition("}")[2], value.strip()) for key, value in element.attrib.items() if "//" not in value)
    return [(key, value) for key, value in pairs if value and key not in _ABOUT and value not in _FORMS]


def fields(leaves: Sequence[Any]) -> list[tuple[str, str]]:
    """The values of a record, by their names.

    A unit stands behind its amount ("12.50 EUR"). Values that only an attribute tells apart, such as fields by their
    names, are called by it.
    """
    keyed = _keyed(leaves)
    found: list[tuple[str, str]] = []
    for leaf in leaves:
        name, text, attributes = name_of(leaf), flat(leaf), attributes_of(leaf)
        key, value = attributes[0] if len(attributes) == 1 else ("", "")
        if text and name in keyed:
            found.append((value if key == _NAMES else f"{name} {value}", text))
        elif text and key and _QUANTITY.fullmatch(text) and value.isalpha() and len(value) <= _LONGEST_UNIT:
            found.append((name, f"{text} {value}"))
        elif text:
            found += [(name, text), *((f"{name} {key}", value) for key, value in attributes)]
        elif attributes:
            found.append((name, attributes[0][1]))
    return found


def _keyed(leaves: Sequence[Any]) -> set[str]:
    """The names that several values have, each of which has one attribute of its own: what it is called."""
    by_key: dict[str, list[tuple[tuple[str, str], ...]]] = {}
    for leaf in leaves:
        by_key.setdefault(name_of(leaf), []).append(tuple(attributes_of(leaf)))
    return {
        name
        for name, some in by_key.items()
        if len(some) > 1
        and len(set(some)) == len(some)
        and all(len(one) == 1 and one[0][0] == some[0][0][0] for one in some)
    }
