"""A retrieval strategy in one file: what it does, and the declaration that gives it a name, a paper and settings.

``python examples/add_a_strategy.py [QUESTION]`` declares the strategy and asks the knowledge base ``examples`` with it
(``make demo`` fills it). One that stays goes into ``platform/clew/retrieval/strategies/``, and its file ends with
``RECIPES = {NAME: RECIPE}``; then it is in ``clew strategies``, the app, evaluations and training.

The strategy fuses two searches that Clew has: the nearest passages, and the passages of the nearest facts.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace

from clew import KnowledgeBase, Passage, Retrieved
from clew.database.connection import Database
from clew.embedding import Embedder
from clew.retrieval.fusion import reciprocal_rank
from clew.retrieval.recipe import Recipe
from clew.retrieval.registry import RECIPES
from clew.retrieval.strategies.chunks import Chunks
from clew.retrieval.strategies.hyperedges import Hyperedges

NAME = "facts-and-passages"
QUESTION = "Who designed the Old Maren Light?"


@dataclass(frozen=True, slots=True)
class FactsAndPassagesSettings:
    """``constant`` of reciprocal rank fusion; the larger it is, the less the first places count."""

    constant: float = 60.0


class FactsAndPassages:
    """Reciprocal rank fusion (Cormack et al., 2009) of the nearest passages and those that state the nearest facts."""

    name = NAME

    def __init__(
        self, database: Database, embedder: Embedder, kb: str, settings: FactsAndPassagesSettings | None = None
    ) -> None:
        self._searches = (Chunks(database, embedder, kb), Hyperedges(database, embedder, kb))
        self._settings = settings or FactsAndPassagesSettings()

    def retrieve(self, queries: Sequence[str], k: int) -> list[Retrieved]:
        """The k best passages of both searches and the k nearest facts, for each query; two round trips a batch."""
        near, others = (search.retrieve(queries, k) for search in self._searches)
        return [
            replace(facts, passages=self._fused(chunks, facts)[:k]) for chunks, facts in zip(near, others, strict=True)
        ]

    def _fused(self, *found: Retrieved) -> tuple[Passage, ...]:
        ranks: dict[str, dict[str, int]] = {}
        passages: dict[str, Passage] = {}
        for path, one in enumerate(found):
            for rank, passage in enumerate(one.passages, 1):
                ranks.setdefault(passage.id, {})[str(path)] = rank
                passages.setdefault(passage.id, passage)
        scores = {id: reciprocal_rank(places, self._settings.constant) for id, places in ranks.items()}
        best = sorted(scores, key=lambda id: (-scores[id], id))
        return tuple(replace(passages[id], score=scores[id]) for id in best)


RECIPE = Recipe(
    paper="Reciprocal rank fusion, Cormack et al., 2009",
    description="The nearest passages, fused with the passages of the nearest facts.",
    make=FactsAndPassages,
    settings=FactsAndPassagesSettings(),
    paths=("hyperedges",),
)


def main(question: str) -> None:
    """Declare the strategy, and ask with it."""
    RECIPES[NAME] = RECIPE
    with KnowledgeBase.open("examples") as kb:
        (found,) = kb.retrieve([question], k=5, strategy=NAME)
    for passage in found.passages:
        print(f"{passage.score:.4f}  {passage.title}: {passage.text}")


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else QUESTION)
