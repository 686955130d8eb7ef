"""LightRAG: low-level keywords find entities, high-level ones relations, and both bring what is around them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import zip_longest

import numpy as np

from clew.embedding import Vectors
from clew.retrieval.graph.hypergraph import Graph, Rows
from clew.retrieval.graph.region import Weights, best_of
from clew.retrieval.graph.search import Chosen, GraphStrategy, Near, Ranking, Start, stated_in
from clew.retrieval.recipe import Recipe


@dataclass(frozen=True, slots=True)
class LightRAGSettings:
    """The levels that are searched (low, high, naive), and how much; 60 matches in the released code.

    Each level begins with the ``nearest`` entities or relations, and as many neighbours. Of an entity, the ``cap``
    hyperedges nearest to the question are relations. ``naive`` adds the nearest chunks. ``structure`` is the weight of
    matched entities beside the cosine of a relation to the question.
    """

    levels: tuple[str, ...] = ("low", "high")
    nearest: int = 60
    cap: int = 50
    structure: float = 0.3


class LightRAG(GraphStrategy[LightRAGSettings]):
    """LightRAG (arXiv 2410.05779): dual-level retrieval, section 3.2.

    Low-level keywords are matched with entities, which bring their relations and their neighbours (N_v); high-level
    keywords are matched with relations, which bring the entities that they join (N_e). What the levels find is merged
    by turns, a fact or passage of each, as in the released code, whose modes local, global and mix are recipes; its
    mode naive alone is ``chunks``.

    Departures: no language model writes keywords. The names in the question are the low-level ones, and the question
    without its names the high-level one, since a relation is what is asked besides the names. A relation is an n-ary
    hyperedge, with the vector of its sentence instead of keywords of its own. The paper hands 60 matches a level to a
    language model; where only k are given they need an order, which the paper does not give (its code: by degree,
    without regard to the question). Here a relation of the low level scores its cosine to the question, one of the high
    level that to the question without its names, plus ``structure`` times the sum over its entities of 1 / rank of
    their match; a neighbour counts as much as the relation that leads to it fits what is asked. A neighbour is given by
    its relations, because entities have no descriptions here.

    The high level alone finds what is like the question's relation, wherever it holds. That suits the broad questions
    of the paper; where a question asks for one fact it takes places from the low level (docs/strategies.md).
    """

    default = LightRAGSettings()

    def _near(self) -> Near:
        return Near(self._settings.nearest, self._settings.nearest, relations=True)

    def _ranking(self, graph: Graph, start: Start, k: int) -> Ranking:
        found: dict[str, list[int]] = {}
        passages = []
        for level in self._settings.levels:
            if level == "naive":
                passages.append(start.chunks[:k].tolist())
            else:
                rows = (_low if level == "low" else _high)(graph, start, self._settings)
                found[level] = rows
                passages.append([row for row, _ in stated_in(graph, (Chosen(row, 0.0, {}) for row in rows))])
        ranks: dict[int, dict[str, int]] = {}
        for level, rows in found.items():
            for rank, row in enumerate(rows, 1):
                ranks.setdefault(row, {})[level] = rank
        facts = [Chosen(row, 1 / place, ranks[row]) for place, row in enumerate(_by_turns(found.values()), 1)]
        return Ranking(facts, [(row, 1 / place) for place, row in enumerate(_by_turns(passages), 1)])


def _by_turns(lists: Iterable[Sequence[int]]) -> list[int]:
    return list(dict.fromkeys(row for turn in zip_longest(*lists) for row in turn if row is not None))


def _low(graph: Graph, start: Start, settings: LightRAGSettings) -> list[int]:
    """The relations of the matched entities and of their neighbours, best first."""
    matched = np.array(list(dict.fromkeys([*start.question.linked, *start.entities.tolist()])), np.int64)
    matched = matched[: settings.nearest]
    weights = np.zeros(len(graph.entities))
    weights[matched] = 1 / np.arange(1, len(matched) + 1)
    facts = best_of(graph, matched, start.whole, settings.cap)
    neighbours, share = _neighbours(graph, facts, weights, start.masked)
    nearest = np.argsort(-share, kind="stable")[: settings.nearest]
    weights[neighbours[nearest]] = share[nearest]
    facts = np.union1d(facts, best_of(graph, neighbours[nearest], start.masked, settings.cap))
    scores = graph.vectors[facts] @ start.whole + settings.structure * _structure(graph, facts, weights)
    best: list[int] = facts[np.argsort(-scores, kind="stable")].tolist()
    return best


def _high(graph: Graph, start: Start, settings: LightRAGSettings) -> list[int]:
    """The matched relations and those of the entities that they join, best first."""
    matched = start.hyperedges[: settings.nearest]
    fit = np.maximum(start.similarity[: settings.nearest], 0.0) / np.arange(1, len(matched) + 1)
    joined, share = _joined(graph, matched, fit)
    nearest = np.argsort(-share, kind="stable")[: settings.nearest]
    weights = np.zeros(len(graph.entities))
    weights[joined[nearest]] = share[nearest]
    facts = np.union1d(matched, best_of(graph, joined[nearest], start.masked, settings.cap))
    scores = graph.vectors[facts] @ start.masked + settings.structure * _structure(graph, facts, weights)
    best: list[int] = facts[np.argsort(-scores, kind="stable")].tolist()
    return best


def _neighbours(graph: Graph, facts: Rows, weights: Weights, masked: Vectors) -> tuple[Rows, Weights]:
    """The entities beside matched ones, each with the weight of the best relation that leads there times its fit."""
    fit = _structure(graph, facts, weights) * np.maximum(graph.vectors[facts] @ masked, 0.0)
    entities, share = _joined(graph, facts, fit)
    new = (weights[entities] == 0) & (share > 0)
    return entities[new], share[new]


def _joined(graph: Graph, facts: Rows, fit: Weights) -> tuple[Rows, Weights]:
    """The entities of relations, each with the best fit of one."""
    columns, owners = graph.entities_of.of(facts)
    entities, at = np.unique(columns, return_inverse=True)
    share = np.zeros(len(entities))
    np.maximum.at(share, at, fit[owners])
    return entities, share


def _structure(graph: Graph, facts: Rows, weights: Weights) -> Weights:
    columns, owners = graph.entities_of.of(facts)
    structure: Weights = np.bincount(owners, weights[columns], len(facts)).astype(float)
    return structure


RECIPES = {
    "lightrag": Recipe(
        paper="LightRAG, arXiv 2410.05779",
        description="Entities by the question's names, relations by the rest of it, by turns.",
        make=partial(LightRAG, name="lightrag"),
        settings=LightRAGSettings(),
        paths=("high", "low"),
    ),
    "lightrag-local": Recipe(
        paper="LightRAG, arXiv 2410.05779",
        description="Its low level alone: entities, their relations and neighbours.",
        make=partial(LightRAG, name="lightrag-local"),
        settings=LightRAGSettings(levels=("low",)),
        paths=("low",),
    ),
    "lightrag-global": Recipe(
        paper="LightRAG, arXiv 2410.05779",
        description="Its high level alone: relations like the one asked for.",
        make=partial(LightRAG, name="lightrag-global"),
        settings=LightRAGSettings(levels=("high",)),
        paths=("high",),
    ),
    "lightrag-mix": Recipe(
        paper="LightRAG, released code",
        description="Both levels and the nearest chunks, by turns.",
        make=partial(LightRAG, name="lightrag-mix"),
        settings=LightRAGSettings(levels=("low", "high", "naive")),
        paths=("high", "low"),
    ),
}
