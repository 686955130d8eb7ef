"""What the head of a web page says of it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from clew.ingest.formats.metadata import tags_of
from clew.text.normalise import normalise, one_line
from clew.types import Json

_META = {
    "author": "author",
    "article:author": "author",
    "dc.creator": "author",
    "dcterms.creator": "author",
    "citation_author": "author",
    "date": "date",
    "article:published_time": "date",
    "datepublished": "date",
    "dc.date": "date",
    "dcterms.date": "date",
    "dcterms.issued": "date",
    "citation_publication_date": "date",
    "keywords": "tags",
}
_LINKED = "application/ld+json"
_LONGEST_LINKED = 100_000


def metadata_of(root: Any) -> Json:
    """What the page's head says of it: author, date, tags, language."""
    found: Json = {}
    names: dict[str, str] = {}
    for meta in root.iter("meta"):
        name = meta.get("name") or meta.get("property") or meta.get("itemprop") or ""
        key = _META.get(name.strip().lower())
        value = one_line(normalise(meta.get("content") or ""))
        if key == "author" and value and key in found and names.get(key) == name and "://" not in value:
            found[key] += f"{';' if ',' in value else ','} {value}"  # a line for each of several
        elif key and value and "://" not in value:
            names.setdefault(key, name)
            found.setdefault(key, tags_of(value) if key == "tags" else value)
    for key, value in _linked_data(root):
        found.setdefault(key, value)
    if language := one_line(root.get("lang") or "", 40):
        found["language"] = language
    return found


def _linked_data(root: Any) -> Iterator[tuple[str, str]]:
    """Author and date of publication in the page's linked data (JSON-LD with the words of schema.org)."""
    for script in root.iter("script"):
        written = (script.text or "").strip()
        if script.get("type", "").strip().lower() != _LINKED or len(written) > _LONGEST_LINKED:
            continue
        try:
            told = json.loads(written)
        except (ValueError, RecursionError):
            continue
        items = told if isinstance(told, list) else [told]
        items = [*items, *(one for item in items if isinstance(item, dict) for one in _several(item.get("@graph")))]
        for item in filter(lambda one: isinstance(one, dict), items):
            names = [one.get("name") if isinstance(one, dict) else one for one in _several(item.get("author"))]
            author = ", ".join(name for name in names if isinstance(name, str) and "://" not in name)
            for key, value in (("author", author), ("date", item.get("datePublished"))):
                if isinstance(value, str) and value.strip():
                    yield key, one_line(normalise(value))


def _several(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]
