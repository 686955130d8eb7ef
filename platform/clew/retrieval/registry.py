"""The strategies by name: recipes as plain data."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass
from functools import partial
from typing import Any

from clew.database.connection import Database
from clew.embedding import Embedder
from clew.errors import check_choice
from clew.retrieval.graph.walk import WalkSettings
from clew.retrieval.reranker import Reranked, Reranker
from clew.retrieval.strategies.binary import BinaryGraph, BinarySettings
from clew.retrieval.strategies.chunks import Chunks
from clew.retrieval.strategies.g_retriever import GRetriever, GRetrieverSettings
from clew.retrieval.strategies.graph_r1 import DualPath, DualPathSettings
from clew.retrieval.strategies.graphrag import GraphRAG, GraphRAGSettings
from clew.retrieval.strategies.hipporag2 import HippoRAG2, HippoRAG2Settings
from clew.retrieval.strategies.hybrid import Hybrid, HybridSettings
from clew.retrieval.strategies.hyperedges import Hyperedges
from clew.retrieval.strategies.kgp import KGP, KGPSettings
from clew.retrieval.strategies.lightrag import LightRAG, LightRAGSettings
from clew.retrieval.strategies.linearrag import LinearRAG, LinearRAGSettings
from clew.retrieval.strategies.none import NoRetrieval
from clew.retrieval.strategies.pathrag import PathRAG, PathRAGSettings
from clew.retrieval.strategies.prograph_r1 import ProGraphR1, ProGraphSettings
from clew.retrieval.strategies.proprag import PropRAG, PropRAGSettings
from clew.retrieval.strategies.question_walk import QuestionWalk
from clew.retrieval.strategies.raptor import Raptor, RaptorSettings
from clew.retrieval.strategies.sub_queries import SubQueries, SubQuerySettings
from clew.retrieval.strategies.tog import ThinkOnGraph, ToGSettings
from clew.retrieval.strategies.words import Words, WordsSettings
from clew.retrieval.strategy import Strategy


@dataclass(frozen=True, slots=True)
class Recipe:
    """A named strategy: where it comes from, how to make it for a knowledge base, and its settings (a dataclass).

    Without settings the strategy is made with its own. Those whose settings name another are made ``over`` that one.
    """

    paper: str
    description: str
    make: Callable[..., Strategy]
    settings: Any = None


def _hybrid(description: str, name: str, texts: int, facts: int) -> Recipe:
    settings = HybridSettings("hipporag2", texts, facts)
    return Recipe("GraphRAG-R1 §3.3, arXiv 2507.23581", description, partial(Hybrid, name), settings)


RECIPES: dict[str, Recipe] = {
    "clew": Recipe(
        "Clew",
        "The question-conditioned walk from the question and its hops, with a second pass through bridge entities.",
        partial(QuestionWalk, name="clew", passes=2),
        WalkSettings(),
    ),
    "clew-one-pass": Recipe(
        "Clew",
        "The question-conditioned walk, one pass.",
        partial(QuestionWalk, name="clew-one-pass", passes=1),
        WalkSettings(),
    ),
    "clew-sub-queries": Recipe(
        "Clew; IRCoT, arXiv 2212.10509",
        "The same walk from the question and from each of its hops, looked up one after the other.",
        partial(SubQueries, "clew-sub-queries"),
        SubQuerySettings(),
    ),
    "none": Recipe("NaiveGeneration", "No retrieval.", lambda *_: NoRetrieval()),
    "chunks": Recipe("StandardRAG", "The nearest chunks.", Chunks),
    "hyperedges": Recipe("Graph-R1 eq. 8", "The nearest hyperedges.", Hyperedges),
    "words": Recipe(
        "BM25", "The hyperedges that share the query's words, by full-text search.", Words, WordsSettings()
    ),
    "graph-r1": Recipe(
        "Graph-R1 eq. 7–9",
        "Facts around the nearest entities, fused with the nearest hyperedges.",
        partial(DualPath, name="graph-r1"),
        DualPathSettings(),
    ),
    "graph-r1-released": Recipe(
        "Graph-R1, released code",
        "The same with the whole query for its entities, and the facts around them by degree.",
        partial(DualPath, name="graph-r1-released"),
        DualPathSettings(query_vector="query", order="degree"),
    ),
    "binary": Recipe(
        "Graph-R1, ablation (figures 4, 5b)",
        "The same over a binary graph: every hyperedge taken apart into triples.",
        BinaryGraph,
        BinarySettings(),
    ),
    "hypergraphrag": Recipe(
        "HyperGraphRAG, arXiv 2503.21322",
        "Graph-R1's two paths in one shot, 60 entities and 60 hyperedges.",
        partial(DualPath, name="hypergraphrag"),
        DualPathSettings(k_entities=60, k_hyperedges=60),
    ),
    "prograph-r1": Recipe(
        "ProGraph-R1 eq. 6–10, arXiv 2601.17755",
        "Hyperedges by how informative their entities are about those of the query.",
        partial(ProGraphR1, name="prograph-r1"),
        ProGraphSettings(),
    ),
    "prograph-r1-context": Recipe(
        "ProGraph-R1, ablation",
        "The same by the likeness of entities alone.",
        partial(ProGraphR1, name="prograph-r1-context"),
        ProGraphSettings(structure=False),
    ),
    "prograph-r1-structure": Recipe(
        "ProGraph-R1, ablation",
        "The same by the structure of the graph alone.",
        partial(ProGraphR1, name="prograph-r1-structure"),
        ProGraphSettings(context=False),
    ),
    "hipporag2": Recipe(
        "HippoRAG 2, arXiv 2502.14802",
        "Linked facts restart PageRank over entities and passages.",
        HippoRAG2,
        HippoRAG2Settings(),
    ),
    "proprag": Recipe(
        "PropRAG, arXiv 2504.18070",
        "Beam search over paths of facts, then PageRank from their entities.",
        PropRAG,
        PropRAGSettings(),
    ),
    "pathrag": Recipe(
        "PathRAG, arXiv 2502.14902",
        "The paths between retrieved entities through which most flows.",
        PathRAG,
        PathRAGSettings(),
    ),
    "kgp": Recipe(
        "KGP, arXiv 2308.11730",
        "From passage to passage, each for what those before it leave open.",
        KGP,
        KGPSettings(),
    ),
    "tog": Recipe(
        "Think-on-Graph, arXiv 2307.07697",
        "Beam exploration from the entities of the question.",
        ThinkOnGraph,
        ToGSettings(),
    ),
    "g-retriever": Recipe(
        "G-Retriever, arXiv 2402.07630",
        "The prize-collecting Steiner tree around what is nearest.",
        GRetriever,
        GRetrieverSettings(),
    ),
    "linearrag": Recipe(
        "LinearRAG, arXiv 2510.10114",
        "Entities wake others through sentences like the question, then PageRank over passages.",
        LinearRAG,
        LinearRAGSettings(),
    ),
    "lightrag": Recipe(
        "LightRAG, arXiv 2410.05779",
        "Entities by the question's names, relations by the rest of it, by turns.",
        partial(LightRAG, name="lightrag"),
        LightRAGSettings(),
    ),
    "lightrag-local": Recipe(
        "LightRAG, arXiv 2410.05779",
        "Its low level alone: entities, their relations and neighbours.",
        partial(LightRAG, name="lightrag-local"),
        LightRAGSettings(levels=("low",)),
    ),
    "lightrag-global": Recipe(
        "LightRAG, arXiv 2410.05779",
        "Its high level alone: relations like the one asked for.",
        partial(LightRAG, name="lightrag-global"),
        LightRAGSettings(levels=("high",)),
    ),
    "lightrag-mix": Recipe(
        "LightRAG, released code",
        "Both levels and the nearest chunks, by turns.",
        partial(LightRAG, name="lightrag-mix"),
        LightRAGSettings(levels=("low", "high", "naive")),
    ),
    "graphrag": Recipe(
        "GraphRAG, released code",
        "The question's entities with their relations and communities: its local search.",
        partial(GraphRAG, name="graphrag"),
        GraphRAGSettings(),
    ),
    "graphrag-global": Recipe(
        "GraphRAG, arXiv 2404.16130",
        "Points of the nearest communities by how helpful their summaries are: its global search.",
        partial(GraphRAG, name="graphrag-global"),
        GraphRAGSettings(search="global", communities=20),
    ),
    "raptor": Recipe(
        "RAPTOR, arXiv 2401.18059",
        "Chunks and a tree of summaries above them, as one set.",
        partial(Raptor, name="raptor"),
        RaptorSettings(),
    ),
    "raptor-traversal": Recipe(
        "RAPTOR, arXiv 2401.18059",
        "The same tree from its roots down.",
        partial(Raptor, name="raptor-traversal"),
        RaptorSettings(search="traversal"),
    ),
    "hybrid-text5": _hybrid("5 passages of HippoRAG 2.", "hybrid-text5", 5, 0),
    "hybrid-text3-graph10": _hybrid("3 passages and 10 facts of HippoRAG 2.", "hybrid-text3-graph10", 3, 10),
    "hybrid-text1-graph10": _hybrid("1 passage and 10 facts of HippoRAG 2.", "hybrid-text1-graph10", 1, 10),
    "hybrid-graph20": _hybrid("20 facts of HippoRAG 2, without passages.", "hybrid-graph20", 0, 20),
}


def settings_of(name: str) -> dict[str, Any]:
    """The settings of a recipe as plain data, empty where it has none.

    Raises KeyError for a name that is not in ``RECIPES``.
    """
    recipe = RECIPES[name]
    fixed = recipe.make.keywords if isinstance(recipe.make, partial) else {}
    own = {} if recipe.settings is None else asdict(recipe.settings)
    return {option: value for option, value in fixed.items() if option != "name"} | own


def check_strategy(name: str) -> str:
    """The name, if it is one of ``RECIPES``. Raises InputError for any other."""
    return check_choice(name, RECIPES, "strategy")


def create_strategy(
    name: str, database: Database, embedder: Embedder, kb: str, reranker: Reranker | None = None
) -> Strategy:
    """Make the strategy ``name`` for a knowledge base, with a reranker that orders what it finds where one is given.

    Raises InputError for a name that is not in ``RECIPES``.
    """
    recipe = RECIPES[check_strategy(name)]
    if isinstance(recipe.settings, HybridSettings):
        over = create_strategy(recipe.settings.over, database, embedder, kb, reranker)
        return recipe.make(settings=recipe.settings, strategy=over)
    if isinstance(recipe.settings, SubQuerySettings):
        # Masses are summed, which the scores of a reranker are not: it orders the sum.
        over = create_strategy(recipe.settings.over, database, embedder, kb)
        strategy = recipe.make(recipe.settings, over)
    else:
        options = {} if recipe.settings is None else {"settings": recipe.settings}
        strategy = recipe.make(database, embedder, kb, **options)
    return Reranked(strategy, reranker) if reranker else strategy
