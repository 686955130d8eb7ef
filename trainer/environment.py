"""A Clew graph as an environment of TRL: ``GRPOTrainer(environment_factory=search_environment(kb))``.

For a training loop that is not Clew's: the model calls one tool, ``search``, in whatever form its chat template gives
to tool calls. Clew's own recipes roll out on the same graph by the papers' tags (``trainer.algorithm.rollout``).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from clew import KnowledgeBase
from clew.agent.protocol import REPEATED, get_dialect, normalise_query
from clew.evaluation.metrics import f1
from clew.retrieval.strategy import Strategy
from clew.trainer.algorithm.rollout import scored

NO_MORE = "No search is left: answer now."
_ANSWER = re.compile(r"<answer>(.*?)(?:</answer>|$)", re.DOTALL)
_THOUGHT = re.compile(r"<think>.*?(?:</think>|$)", re.DOTALL)


class SearchEnvironment:
    """One rollout's view of a graph. TRL makes an instance for each rollout, and resets it before the next.

    Facts are numbered over the searches of a rollout, a repeated query brings none, and after ``searches`` there are no
    more: the rules that ``clew ask`` keeps with a model.
    """

    def __init__(self, strategy: Strategy, k: int = 5, searches: int = 7) -> None:
        self._strategy, self._k, self._most = strategy, k, searches
        self._dialect = get_dialect("tools")
        self.reset()

    def reset(self, **_: Any) -> None:
        """Forget the rollout before; the example that comes has its question in its prompt already."""
        self._asked: set[str] = set()
        self._shown = 0

    def search(self, query: str) -> str:
        """Look something up in the knowledge graph. It returns numbered facts from the documents.

        Args:
            query: What to look up, one thing at a time, naming the person, work, place or thing it is about.

        Returns:
            The facts, one a line.
        """
        if len(self._asked) >= self._most:
            return NO_MORE
        if (asked := normalise_query(query)) in self._asked:
            return REPEATED
        self._asked.add(asked)
        [found] = self._strategy.retrieve([query], self._k)
        knowledge = self._dialect.render_knowledge(found, self._shown + 1)
        self._shown += len(self._dialect.evidence(found.facts, found.passages))
        return knowledge.removeprefix(self._dialect.knowledge.open).removesuffix(self._dialect.knowledge.close).strip()


def search_environment(
    kb: KnowledgeBase, strategy: str | None = None, k: int | None = None, searches: int = 7
) -> Callable[[], SearchEnvironment]:
    """What ``environment_factory`` takes: environments over a knowledge base, which share its encoder and its copy.

    Raises InputError for an unknown strategy, NotFoundError where there is no such knowledge base.
    """
    return partial(SearchEnvironment, kb.strategy(strategy), k or kb.settings.top_k, searches)


def answer_reward(completions: Sequence[Any], answers: Sequence[Sequence[str]], **_: Any) -> list[float]:
    """The token F1 of each completion's last message against the column ``answers``, best over the gold answers.

    Without gold answers it is 1 for saying that the graph does not tell. What stands in an answer block counts where
    there is one, and never what stands in a think block.
    """
    return [scored(f1, _answer(one), golds) for one, golds in zip(completions, answers, strict=True)]


def _answer(completion: Any) -> str:
    text = completion if isinstance(completion, str) else str(completion[-1].get("content") or "")
    blocks = _ANSWER.findall(text)
    return str(blocks[-1] if blocks else _THOUGHT.sub("", text)).strip()
