"""BM25 over the hyperedges of a graph, in memory.

Neo4j's full-text index counts over all knowledge bases of a database how rare a word is and how long a fact, so that
neighbours move the order; here only the knowledge base counts, or the part of it that a filter leaves.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

import numpy as np

from clew.retrieval.graph.hypergraph import Graph, Rows, find
from clew.retrieval.graph.region import Weights

K1, B = 1.2, 0.75
"""How soon a word that is repeated counts no more, and how much a fact's length takes off: the values of Lucene."""
_ID_BYTES = 20


def word_id(word: str) -> str:
    """The name of a word in a graph's arrays, whose names have 20 bytes: itself, or its hash where it is longer."""
    data = word.encode("utf-8", "replace")
    fits = len(data) <= _ID_BYTES and data.isascii()
    return word if fits else hashlib.blake2b(data, digest_size=_ID_BYTES // 2).hexdigest()


def bm25(graph: Graph, words: Sequence[str], limit: int) -> tuple[Rows, Weights]:
    """The hyperedges that share the most telling words, best first, and their scores (Robertson and Zaragoza, 2009).

    As in Lucene, idf = ln(1 + (N - n + ½) / (n + ½)), and the constant factor k₁ + 1 is left out.
    """
    facts_all = len(graph.hyperedges)
    asked = find(graph.words, [word_id(word) for word in words])
    asked = asked[asked >= 0]
    facts, owners = graph.facts_with.of(asked)
    if not len(facts):
        return np.zeros(0, np.int64), np.zeros(0)
    # A word's hyperedges are in order, and one that has it twice stands there twice.
    places = owners * facts_all + facts
    first = np.flatnonzero(np.diff(places, prepend=-1))
    times = np.diff(first, append=len(places))
    owners, facts = owners[first], facts[first]
    having = np.bincount(owners, minlength=len(asked))
    idf = np.log1p((facts_all - having + 0.5) / (having + 0.5))
    lengths = graph.words_of.degrees(facts) / (len(graph.words_of.columns) / facts_all)
    weights: Weights = idf[owners] * times / (times + K1 * (1 - B + B * lengths))
    return best(np.bincount(facts, weights, facts_all).astype(np.float64), limit)


def best(scores: Weights, limit: int) -> tuple[Rows, Weights]:
    """The rows of the greatest scores above 0, best first, equal ones in their order, and their scores."""
    rows = np.flatnonzero(scores > 0)
    if len(rows) > limit:
        least = np.partition(scores[rows], len(rows) - limit)[len(rows) - limit]
        rows = rows[scores[rows] >= least]
    rows = rows[np.argsort(-scores[rows], kind="stable")][:limit]
    return rows, scores[rows]
