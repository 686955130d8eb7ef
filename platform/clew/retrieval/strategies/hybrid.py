"""Facts and passages side by side in numbers that a recipe sets, over any strategy."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

from clew.retrieval.recipe import Recipe
from clew.retrieval.strategy import Strategy
from clew.types import Retrieved


@dataclass(frozen=True, slots=True)
class HybridSettings:
    """How many passages (``texts``) and ``facts`` of the strategy ``over`` a query brings."""

    over: str = "hipporag2"
    texts: int = 5
    facts: int = 0


class Hybrid:
    """Hybrid graph-textual retrieval (GraphRAG-R1, arXiv 2507.23581, §3.3): so many facts and so many passages.

    The paper compares Text5, Text3+Graph10, Text1+Graph10 and Graph20 over HippoRAG 2. The numbers are the recipe's,
    so ``k`` does not count here: a policy is trained on one mixture, and asking for another would be another method.
    Graph20 brings no passages at all, as in the paper; its facts still name the spans that state them.

    Departure: a fact is an n-ary hyperedge where the paper has triples.
    """

    def __init__(self, name: str, settings: HybridSettings, strategy: Strategy) -> None:
        self.name = name
        self._settings = settings
        self._strategy = strategy

    def retrieve(self, queries: Sequence[str], k: int) -> list[Retrieved]:
        """The recipe's numbers of facts and passages, whatever ``k``; the round trips are those of the strategy."""
        texts, facts = self._settings.texts, self._settings.facts
        found = self._strategy.retrieve(queries, max(texts, facts))
        return [replace(one, facts=one.facts[:facts], passages=one.passages[:texts]) for one in found]


_MIXTURES = {
    "text5": ("5 passages of HippoRAG 2.", 5, 0),
    "text3-graph10": ("3 passages and 10 facts of HippoRAG 2.", 3, 10),
    "text1-graph10": ("1 passage and 10 facts of HippoRAG 2.", 1, 10),
    "graph20": ("20 facts of HippoRAG 2, without passages.", 0, 20),
}

RECIPES = {
    f"hybrid-{mixture}": Recipe(
        paper="GraphRAG-R1 §3.3, arXiv 2507.23581",
        description=description,
        make=partial(Hybrid, f"hybrid-{mixture}"),
        settings=HybridSettings("hipporag2", texts, facts),
        rerank_inside=True,
        paths=("pagerank",) if facts else (),
    )
    for mixture, (description, texts, facts) in _MIXTURES.items()
}
