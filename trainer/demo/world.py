"""The synthetic world of the demo: a small knowledge hypergraph whose every question has one answer.

A world has 60 entities and 8 relations. Each pair of a subject and a relation is one hyperedge that joins subject,
object and a third entity, the context, which no question asks for. A question is a walk over distinct relations, one to
four hops. Worlds of different seeds share names but no facts, so that a policy cannot learn answers, only how to look
them up. A world becomes documents, and goes through Clew's own ingest and retrieval.
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from clew.database.connection import Database
from clew.embedding import Vectors
from clew.ids import document_id
from clew.ingest.pipeline import ingest
from clew.types import Chunk, Document, ExtractedFact, IngestReport, Participant

_BEGINNINGS = "Bal Cor Dra Fen Gar Hol Kel Lor Mor Nar Pel Tor".split()
_ENDINGS = "an eth ia os wyn".split()

ENTITIES: tuple[str, ...] = tuple(a + b for a in _BEGINNINGS for b in _ENDINGS)
RELATIONS = ("mentor", "rival", "patron", "sibling", "neighbour", "pupil", "ally", "heir")
MAX_HOPS = 4

DIMENSIONS = 128
_WEIGHTS = (1.0, 0.7, 0.3, 0.3)
"""Of a fact's words in its vector: subject and relation count more, so that they are what a query finds it by."""


@dataclass(frozen=True, slots=True)
class WorldQuestion:
    """A question with its walk: ``path`` holds the entities from start to answer, one more than the relations."""

    id: str
    question: str
    answers: tuple[str, ...]
    hops: int
    relations: tuple[str, ...]
    path: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class World:
    """(subject, relation) → (object, context), for every subject and relation."""

    facts: dict[tuple[str, str], tuple[str, str]]

    def text(self, subject: str, relation: str) -> str:
        """The fact as its document states it and as the policy reads it."""
        return " ".join((subject, relation, *self.facts[subject, relation]))

    def follow(self, start: str, relations: Sequence[str]) -> tuple[str, ...]:
        """The entities on the way, start and end included."""
        path = [start]
        for relation in relations:
            path.append(self.facts[path[-1], relation][0])
        return tuple(path)

    def documents(self, kb: str) -> Iterator[Document]:
        """One page for each entity, a fact a line."""
        for subject in ENTITIES:
            text = "\n".join(self.text(subject, relation) + "." for relation in RELATIONS)
            source = f"world:{subject}"
            sha = hashlib.sha256(text.encode()).hexdigest()
            yield Document(document_id(kb, source, ""), kb, subject, source, text, sha)


def make_world(rng: random.Random) -> World:
    """A world at random; object and context differ from the subject and from each other."""
    facts = {}
    for subject in ENTITIES:
        others = [e for e in ENTITIES if e != subject]
        for relation in RELATIONS:
            first, second = rng.sample(others, 2)
            facts[subject, relation] = (first, second)
    return World(facts)


def make_question(world: World, hops: int, rng: random.Random) -> WorldQuestion:
    """A walk at random over distinct relations that ends where it has not been before."""
    while True:
        relations = tuple(rng.sample(RELATIONS, hops))
        path = world.follow(rng.choice(ENTITIES), relations)
        if path[-1] not in path[:-1]:
            text = f"Q {path[0]} {' '.join(relations)} ?"
            return WorldQuestion("-".join((path[0], *relations)), text, path[-1:], hops, relations, path)


def make_questions(world: World, hops: int, n: int, rng: random.Random) -> list[WorldQuestion]:
    """``n`` different questions of so many hops."""
    found: dict[str, WorldQuestion] = {}
    while len(found) < n:
        question = make_question(world, hops, rng)
        found.setdefault(question.id, question)
    return list(found.values())


class WorldExtractor:
    """π_ext for a world's pages: every line is a hyperedge that joins its three entities."""

    name = "world-1"

    def extract(self, document: Document, chunk: Chunk) -> list[ExtractedFact]:
        """The chunk's lines as facts."""
        facts = []
        offset = chunk.start
        for line in chunk.text.splitlines(keepends=True):
            text = line.rstrip().removesuffix(".")
            subject, _, object_, context = text.split()
            participants = (
                Participant(subject, "subject"),
                Participant(object_, "object"),
                Participant(context, "context"),
            )
            facts.append(ExtractedFact(text, offset, offset + len(line.rstrip()), participants))
            offset += len(line)
        return facts


class WorldEmbedder:
    """φ for a world: every word has a fixed direction, and a text is the weighted sum of its first words.

    A query *subject relation* is thus nearest to its fact, and then to the other facts of the subject.
    """

    name = "world-1"
    precision = "f32"
    dimensions = DIMENSIONS

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Encode ``texts`` to an (n, dimensions) array of unit rows."""
        vectors = np.zeros((len(texts), self.dimensions), np.float32)
        for row, text in zip(vectors, texts, strict=True):
            words = text.casefold().replace(".", "").split() or [""]
            for word, weight in zip(words, _WEIGHTS, strict=False):
                row += weight * _direction(word)
        vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
        return vectors


@lru_cache(maxsize=4096)
def _direction(word: str) -> Vectors:
    seed = int.from_bytes(hashlib.sha256(word.encode()).digest()[:8])
    vector = np.random.default_rng(seed).standard_normal(DIMENSIONS).astype(np.float32)
    unit: Vectors = vector / np.linalg.norm(vector)
    return unit


def write_world(world: World, kb: str, database: Database) -> IngestReport:
    """Write a world into the knowledge base ``kb`` by Clew's ingest. Raises DatabaseError."""
    return ingest(
        world.documents(kb),
        kb=kb,
        database=database,
        embedder=WorldEmbedder(),
        extractor=WorldExtractor(),
        chunk_chars=1600,
    )
