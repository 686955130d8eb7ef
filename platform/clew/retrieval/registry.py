"""The strategies by name, as their files declare them.

A strategy is one file in ``clew.retrieval.strategies`` that ends with ``RECIPES``, its recipes by name; that it lies
there is all that is needed. ``examples/add_a_strategy.py`` shows one that lies elsewhere.
"""

from __future__ import annotations

import pkgutil
from dataclasses import asdict
from functools import partial
from importlib import import_module
from typing import Any

from clew.database.connection import Database
from clew.embedding import Embedder
from clew.errors import check_choice
from clew.retrieval import strategies
from clew.retrieval.recipe import Recipe
from clew.retrieval.reranker import Reranked, Reranker
from clew.retrieval.strategy import Strategy

FIRST = ("question_walk", "sub_queries", "none", "chunks", "hyperedges", "words")
"""The files that are listed first: Clew's own, and the plain searches that others are held against."""


def _declared() -> dict[str, Recipe]:
    """The recipes of every file, those of ``FIRST`` before the others, which follow by the names of their files."""
    names = {one.name for one in pkgutil.iter_modules(strategies.__path__)}
    files = [name for name in FIRST if name in names] + sorted(names - set(FIRST))
    modules = [import_module(f"{strategies.__name__}.{name}") for name in files]
    return {name: recipe for module in modules for name, recipe in getattr(module, "RECIPES", {}).items()}


RECIPES: dict[str, Recipe] = _declared()


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
    if over := getattr(recipe.settings, "over", ""):
        inside = reranker if recipe.rerank_inside else None
        inner = create_strategy(over, database, embedder, kb, inside)
        strategy = recipe.make(settings=recipe.settings, strategy=inner)
        reranker = None if recipe.rerank_inside else reranker
    else:
        options = {} if recipe.settings is None else {"settings": recipe.settings}
        strategy = recipe.make(database, embedder, kb, **options)
    return Reranked(strategy, reranker) if reranker else strategy
