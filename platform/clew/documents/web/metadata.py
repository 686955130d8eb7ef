"""What the head of a web page says of it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from clew.documents.metadata import tags_of
from clew.text.normalise import normalise, one_line
from clew.types import Json

_META = {
    "author": "author",
    "article.author": "author",
    "dc.creator": "author",
    "dcterms.creator": "author",
    "citation_author": "author",
    "date": "date",
    "article.published_time": "date",
    "datepublished": "date",
    "dc.date": "date",
    "dc.date.issued": "date",
    "dcterms.date": "date",
    "dcterms.issued": "date",
    "citation_publication_date": "date",
    "citation_date": "date",
    "article.modified_time": "updated",
    "dcterms.modified": "updated",
    "keywords": "tags",
    "article.tag": "tags",
    "dc.subject": "tags",
    "dcterms.subject": "tags",
    "citation_keywords": "tags",
    "dc.publisher": "publisher",
    "dcterms.publisher": "publisher",
    "citation_publisher": "publisher",
    "dc.language": "language",
    "dcterms.language": "language",
    "citation_language": "language",
}
"""Names of a page's head, with a point where some programs write a colon."""
_PROPERTIES = {"author": "author", "datepublished": "date"}
_LINKED = "application/ld+json"
_LONGEST_LINKED = 100_000
_LINKED_TELLS = {
    "author": "author",
    "datePublished": "date",
    "dateModified": "updated",
    "keywords": "tags",
    "publisher": "publisher",
    "inLanguage": "language",
}
_OF_WORKS = frozenset({"author", "datePublished", "headline"})
"""What a text has in linked data, and the site that it stands on has not."""
_LONGEST = 1000


def metadata_of(root: Any) -> Json:
    """Metadata of a page: its head, linked data and marked parts."""
    found: Json = {}
    names: dict[str, str] = {}
    for meta in root.iter("meta"):
        name = (meta.get("name") or meta.get("property") or meta.get("itemprop") or "").strip().lower()
        key = _META.get(name.replace(":", "."))
        value = one_line(normalise(meta.get("content") or ""), _LONGEST)
        if key and value and "://" not in value and names.setdefault(key, name) == name:
            _add(found, key, value)
    for key, value in (*_linked_data(root), *_marked(root)):
        found.setdefault(key, value)
    if language := one_line(root.get("lang") or "", 40):
        found["language"] = language
    return found


def _add(found: Json, key: str, value: str) -> None:
    """Keep a value; of authors and tags there may be a line for each of several."""
    if key == "tags":
        found[key] = list(dict.fromkeys([*found.get(key, []), *tags_of(value)]))
    elif key == "author" and key in found:
        found[key] += f"{';' if ',' in value else ','} {value}"
    else:
        found.setdefault(key, value)


def _linked_data(root: Any) -> Iterator[tuple[str, Any]]:
    """Who, when and what about in the page's linked data (JSON-LD with the words of schema.org)."""
    items: list[Json] = []
    for script in root.iter("script"):
        written = (script.text or "").strip()
        if script.get("type", "").strip().lower() != _LINKED or len(written) > _LONGEST_LINKED:
            continue
        try:
            linked = json.loads(written)
        except (ValueError, RecursionError):
            continue
        tops = [one for one in _several(linked) if isinstance(one, dict)]
        items += [*tops, *(one for top in tops for one in _several(top.get("@graph")) if isinstance(one, dict))]
    known = {str(item["@id"]): item for item in items if "@id" in item}
    for item in items:
        if item.keys() & _OF_WORKS:
            yield from _of_item(item, known)


def _of_item(item: Json, known: dict[str, Json]) -> Iterator[tuple[str, Any]]:
    for name, key in _LINKED_TELLS.items():
        values = [value for one in _several(item.get(name)) if (value := _name_of(one, known))]
        if key == "tags" and values:
            yield key, list(dict.fromkeys(tag for one in values for tag in tags_of(one)))
        elif values:
            yield key, ", ".join(values) if key == "author" else values[0]


def _name_of(one: Any, known: dict[str, Json]) -> str:
    """What a value says: its text, its name, or the name of the thing that it points at; no address."""
    if isinstance(one, dict):
        one = one.get("name") or known.get(str(one.get("@id")), {}).get("name")
    return one_line(normalise(one), _LONGEST) if isinstance(one, str) and "://" not in one else ""


def _marked(root: Any) -> Iterator[tuple[str, str]]:
    """Author and date that the text marks as such (microdata), but not those of comments on it."""
    for element in root.iterfind(".//*[@itemprop]"):
        key = _PROPERTIES.get(element.get("itemprop", "").strip().lower())
        if not key or element.tag == "meta" or any(map(_is_comment, element.iterancestors())):
            continue
        named = element.find(".//*[@itemprop='name']")
        text = "".join((element if named is None else named).itertext())
        if value := one_line(normalise(element.get("datetime") or element.get("content") or text), _LONGEST):
            yield key, value


def _is_comment(element: Any) -> bool:
    sort = element.get("itemtype", "").rpartition("/")[2]
    return sort in ("Comment", "Review", "UserComments") or "comment" in element.get("itemprop", "")


def _several(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]
