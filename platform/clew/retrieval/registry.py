"""The strategies by name: recipes as plain data."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from clew.database.connection import Database
from clew.embedding import Embedder
from clew.errors import InputError
from clew.retrieval.chunks import Chunks
from clew.retrieval.g_retriever import GRetriever
from clew.retrieval.graph_r1 import DualPath, DualPathSettings
from clew.retrieval.hipporag2 import HippoRAG2
from clew.retrieval.hyperedges import Hyperedges
from clew.retrieval.kgp import KGP
from clew.retrieval.none import NoRetrieval
from clew.retrieval.pathrag import PathRAG
from clew.retrieval.proprag import PropRAG
from clew.retrieval.question_walk import QuestionWalk
from clew.retrieval.strategy import Strategy
from clew.retrieval.tog import ThinkOnGraph
from clew.retrieval.walk import WalkSettings


@dataclass(frozen=True, slots=True)
class Recipe:
    """A named strategy: where it comes from, and how to make it for a knowledge base."""

    paper: str
    description: str
    make: Callable[[Database, Embedder, str], Strategy]


def _dual_path(name: str, settings: DualPathSettings) -> Callable[[Database, Embedder, str], Strategy]:
    return lambda database, embedder, kb: DualPath(database, embedder, kb, name, settings)


def _walk(name: str, passes: int) -> Callable[[Database, Embedder, str], Strategy]:
    return lambda database, embedder, kb: QuestionWalk(database, embedder, kb, name, WalkSettings(), passes)


RECIPES: dict[str, Recipe] = {
    "clew": Recipe(
        "Clew", "The question-conditioned walk, with a second pass through bridge entities.", _walk("clew", 2)
    ),
    "clew-one-pass": Recipe("Clew", "The question-conditioned walk, one pass.", _walk("clew-one-pass", 1)),
    "none": Recipe("NaiveGeneration", "No retrieval.", lambda *_: NoRetrieval()),
    "chunks": Recipe("StandardRAG", "The nearest chunks.", Chunks),
    "hyperedges": Recipe("Graph-R1 eq. 8", "The nearest hyperedges.", Hyperedges),
    "graph-r1": Recipe(
        "Graph-R1 eq. 7–9",
        "Facts around the nearest entities, fused with the nearest hyperedges.",
        _dual_path("graph-r1", DualPathSettings()),
    ),
    "graph-r1-released": Recipe(
        "Graph-R1, released code",
        "The same with the whole query for its entities, and the facts around them by degree.",
        _dual_path("graph-r1-released", DualPathSettings(query_vector="query", order="degree")),
    ),
    "hypergraphrag": Recipe(
        "HyperGraphRAG, arXiv 2503.21322",
        "Graph-R1's two paths in one shot, 60 entities and 60 hyperedges.",
        _dual_path("hypergraphrag", DualPathSettings(k_entities=60, k_hyperedges=60)),
    ),
    "hipporag2": Recipe(
        "HippoRAG 2, arXiv 2502.14802", "Linked facts restart PageRank over entities and passages.", HippoRAG2
    ),
    "proprag": Recipe(
        "PropRAG, arXiv 2504.18070", "Beam search over paths of facts, then PageRank from their entities.", PropRAG
    ),
    "pathrag": Recipe(
        "PathRAG, arXiv 2502.14902", "The paths between retrieved entities through which most flows.", PathRAG
    ),
    "kgp": Recipe("KGP, arXiv 2308.11730", "From passage to passage, each for what those before it leave open.", KGP),
    "tog": Recipe(
        "Think-on-Graph, arXiv 2307.07697", "Beam exploration from the entities of the question.", ThinkOnGraph
    ),
    "g-retriever": Recipe(
        "G-Retriever, arXiv 2402.07630", "The prize-collecting Steiner tree around what is nearest.", GRetriever
    ),
}


def create_strategy(name: str, database: Database, embedder: Embedder, kb: str) -> Strategy:
    """Make the strategy ``name`` for a knowledge base.

    Raises InputError for a name that is not in ``RECIPES``.
    """
    if name not in RECIPES:
        raise InputError(f"There is no strategy {name!r}; choose one of {', '.join(RECIPES)}.")
    return RECIPES[name].make(database, embedder, kb)
