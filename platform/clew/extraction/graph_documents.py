"""LangChain's GraphDocument: nodes and relationships that someone's chain extracted from a document."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Protocol

from clew.documents.parsed import opening
from clew.extraction.triples import Triple, make_triple, with_triples
from clew.ids import digest, document_id
from clew.text.normalise import normalise, one_line
from clew.types import Document, Skipped


class Node(Protocol):
    """An entity; ``id`` is its name. It may have a ``type``, and ``properties`` by name."""

    id: Any


class Relationship(Protocol):
    """A relationship of a ``type`` between two nodes. It may have ``properties`` by name."""

    source: Any
    target: Any
    type: str


class SourceDocument(Protocol):
    """The document that a graph was made of."""

    page_content: str
    metadata: dict[str, Any]


class GraphDocument(Protocol):
    """What ``langchain_community.graphs.graph_document.GraphDocument`` looks like; no import is needed for it."""

    nodes: Any
    relationships: Any
    source: Any


def graph_document_items(graph_documents: Iterable[GraphDocument], kb: str) -> Iterator[Document | Skipped]:
    """Documents with the relationships as triples, those of one document together.

    Types of nodes become those of entities. A property of a relationship is a part of its fact where the evidence has
    it too, and a property of a node is a triple of its own. A document is identified by its ``id`` (or that of
    its metadata) where it has one, else by its text; its title and source are those of the metadata. One without text
    is skipped, for nothing could show its relationships.
    """
    found: dict[str, tuple[Document, list[Triple | None]]] = {}
    for one in graph_documents:
        document = _document(one.source, kb)
        if isinstance(document, Skipped):
            yield document
            continue
        _, triples = found.setdefault(document.id, (document, []))
        triples += [_triple(relationship) for relationship in _sequence(one.relationships)]
        for node in _sequence(getattr(one, "nodes", None)):
            property_triples = [
                make_triple(node.id, _words(name), value, types=(_type(node), "")) for name, value in _properties(node)
            ]
            triples += [triple for triple in property_triples if triple]
    for document, triples in found.values():
        yield with_triples(document, triples)


def _document(source: SourceDocument | None, kb: str) -> Document | Skipped:
    metadata: Mapping[str, Any] = getattr(source, "metadata", None) or {}
    origin = f"langchain:{one_line(normalise(str(metadata.get('source') or '')))}"
    text = normalise(str(getattr(source, "page_content", "") or ""))
    if not text:
        return Skipped(origin, "A graph document without the text of its source: keep it (include_source).")
    title = one_line(normalise(str(metadata.get("title") or ""))) or opening(text)
    own = str(getattr(source, "id", None) or metadata.get("id") or digest(f"{title}\n{text}")[:32])
    # Without a locator: what a later import leaves out is no vanished row of this one.
    id = document_id(kb, origin, own)
    return Document(id, kb, title, origin, text, digest(f"{title}\n{text}"))


def _triple(relationship: Relationship) -> Triple | None:
    source, target = relationship.source, relationship.target
    types = (_type(source), _type(target))
    qualifiers = [(_words(name), value) for name, value in _properties(relationship)]
    return make_triple(source.id, _words(relationship.type), target.id, types=types, properties=qualifiers)


def _type(node: object) -> str:
    """The type of a node as words; LangChain's own word for none is *Node*."""
    type = str(getattr(node, "type", None) or "")
    return "" if type == "Node" else _words(type)


def _properties(of: object) -> list[tuple[Any, Any]]:
    """The properties of a node or relationship."""
    properties = getattr(of, "properties", None)
    return list(properties.items()) if isinstance(properties, Mapping) else []


def _words(type: object) -> str:
    """``FOUNDED_BY`` as words."""
    return " ".join(str(type).replace("_", " ").lower().split())


def _sequence(value: Any) -> Sequence[Any]:
    return list(value or ())
