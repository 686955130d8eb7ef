"""Rollouts: a policy's tokens and the graph's, turn by turn, for a whole batch of questions.

Token in, token out: what was sampled is never decoded and encoded again, and what the graph answers is encoded once. A
rollout stores every token with its owner, so its loss mask (GraphRAG-R1 §3.1.2) cannot drift from its text. Each turn
is one call of the model and one retrieval for all trajectories that are still open. The rules of a trajectory are the
agent's own (``clew.agent.episode``), but for one: a turn in bad form gets no correction.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, fields
from itertools import count, cycle
from typing import Any, Literal, Protocol

from clew.agent.abstain import is_unknown
from clew.agent.episode import Episode, Stopped, Turn
from clew.agent.protocol import Dialect, get_dialect
from clew.errors import DatabaseError
from clew.evaluation.metrics import exact_match, normalize_answer
from clew.retrieval.strategy import Strategy
from clew.types import Retrieved

Owner = Literal["policy", "environment"]

Generate = Callable[[list[list[int]], int], list[list[int]]]
"""Continues each of a batch of contexts by at most so many tokens, up to and with the token that ends a turn."""

Metric = Callable[[str, Sequence[str]], float]
"""What an answer is worth beside the gold ones, from 0 to 1."""

LONGEST_WAIT = 10.0
"""Seconds between two attempts to reach Neo4j, at most."""

_log = logging.getLogger(__name__)


class Question(Protocol):
    """What a rollout starts from."""

    @property
    def id(self) -> str: ...
    @property
    def question(self) -> str: ...
    @property
    def answers(self) -> tuple[str, ...]: ...


@dataclass(frozen=True, slots=True)
class Segment:
    """A run of tokens that one side wrote in one turn (from 0)."""

    owner: Owner
    turn: int
    ids: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Rollout:
    """One trajectory: its question with the gold answers, its tokens, and the episode that they tell."""

    question_id: str
    question: str
    answers: tuple[str, ...]
    prompt_ids: tuple[int, ...]
    segments: tuple[Segment, ...]
    episode: Episode

    @property
    def turns(self) -> tuple[Turn, ...]:
        """What each turn said and showed."""
        return self.episode.turns

    @property
    def stopped(self) -> Stopped:
        """Why it ended."""
        return self.episode.stopped

    @property
    def completion_ids(self) -> list[int]:
        """All tokens after the prompt, both owners', in order."""
        return [id for segment in self.segments for id in segment.ids]

    @property
    def env_mask(self) -> list[int]:
        """1 for each token of the policy, 0 for each that the environment wrote and no loss may touch."""
        return [int(segment.owner == "policy") for segment in self.segments for _ in segment.ids]

    @property
    def step_of_token(self) -> list[int]:
        """The turn (from 0) that each token of the completion belongs to."""
        return [segment.turn for segment in self.segments for _ in segment.ids]

    @property
    def retrievals(self) -> int:
        """N: how many queries showed something; one that repeats or finds nothing neither earns nor costs."""
        return sum(turn.shows for turn in self.turns)

    @property
    def answer(self) -> str | None:
        """The final answer, None where the trajectory ended without one."""
        return self.episode.answer

    @property
    def correct(self) -> bool:
        """Whether the final answer is one of the gold answers (EM)."""
        return self.score(exact_match) == 1.0

    def score(self, metric: Metric) -> float:
        """A metric of the final answer, 0 where there is none."""
        return 0.0 if self.answer is None else scored(metric, self.answer, self.answers)


def scored(metric: Metric, answer: str, golds: Sequence[str]) -> float:
    """A metric of an answer. Where there is no gold one, saying so is 1 and anything else 0."""
    return metric(answer, golds) if golds else float(is_unknown(answer))


@dataclass(frozen=True, slots=True)
class RolloutSettings:
    """Limits of a trajectory.

    ``max_turns`` counts turns, the answering one included; ``max_turn_tokens`` those of one turn, ``max_tokens`` those
    of the completion with what the graph wrote. ``k`` is the number of facts a query brings. ``patience``: seconds that
    Neo4j may be away before the run gives up.
    """

    dialect: Dialect = field(default_factory=lambda: get_dialect("graph-r1"))
    max_turns: int = 8
    max_turn_tokens: int = 512
    max_tokens: int = 4096
    k: int = 5
    temperature: float = 1.0
    patience: float = 600.0


@dataclass(slots=True)
class RolloutStats:
    """What rollouts cost and what their retrieval brought; adds up over calls.

    ``queries`` were put to the graph, ``repeated`` not, because they had been before. ``hits`` counts queries whose
    facts or passages name a gold answer, ``empty`` those that found nothing; ``waited`` the seconds without Neo4j.
    """

    seconds: float = 0.0
    retrieval_seconds: float = 0.0
    waited: float = 0.0
    trajectories: int = 0
    turns: int = 0
    queries: int = 0
    hits: int = 0
    empty: int = 0
    repeated: int = 0

    @property
    def retrieval_share(self) -> float:
        """Retrieval's part of the time that rollouts took, without waiting for a Neo4j that was away."""
        return self.retrieval_seconds / max(self.seconds - self.waited, 1e-9)

    def add(self, other: RolloutStats) -> None:
        """Take the figures of other rollouts in."""
        for one in fields(self):
            setattr(self, one.name, getattr(self, one.name) + getattr(other, one.name))

    def metrics(self) -> dict[str, float]:
        """The figures for a log line, shares between 0 and 1."""
        asked = max(self.queries, 1)
        return {
            "rollout/seconds": self.seconds,
            "rollout/turns": self.turns / max(self.trajectories, 1),
            "retrieval/share": self.retrieval_share,
            "retrieval/waited": self.waited,
            "retrieval/queries": self.queries / max(self.trajectories, 1),
            "retrieval/hit_rate": self.hits / asked,
            "retrieval/empty": self.empty / asked,
            "retrieval/repeated": self.repeated / max(self.queries + self.repeated, 1),
        }


@dataclass(slots=True)
class _Open:
    """A trajectory that is still being written."""

    question: Question
    prompt_ids: tuple[int, ...]
    episode: Episode
    segments: list[Segment] = field(default_factory=list)

    @property
    def length(self) -> int:
        return sum(len(segment.ids) for segment in self.segments)

    @property
    def context(self) -> list[int]:
        return [*self.prompt_ids, *(id for segment in self.segments for id in segment.ids)]

    def close(self) -> Rollout:
        q = self.question
        return Rollout(q.id, q.question, tuple(q.answers), self.prompt_ids, tuple(self.segments), self.episode)


def rollouts(
    generate: Generate,
    tokenizer: Any,
    questions: Sequence[Question],
    strategy: Strategy,
    settings: RolloutSettings,
    *,
    stats: RolloutStats | None = None,
) -> list[Rollout]:
    """One trajectory for each question, in order; ask a question several times for a group.

    Raises DatabaseError where Neo4j stays away for longer than the settings' patience.
    """
    start = Episode(settings.dialect, settings.max_turns, corrections=0)
    prompts = {text: prompt_ids(tokenizer, start.prompt(text)) for text in dict.fromkeys(q.question for q in questions)}
    opened = [_Open(q, prompts[q.question], start) for q in questions]
    return _run(opened, generate, tokenizer, strategy, settings, stats or RolloutStats())


def continuations(
    generate: Generate,
    tokenizer: Any,
    prefixes: Sequence[tuple[Rollout, int]],
    strategy: Strategy,
    settings: RolloutSettings,
    *,
    stats: RolloutStats | None = None,
) -> list[Rollout]:
    """Fresh endings of trajectories from their state after the first ``turns`` turns (s_≤t of ProGraph-R1 eq. 11).

    A prefix with all the turns of its rollout comes back as it is.
    """
    opened = [
        _Open(
            _Asked(rollout.question_id, rollout.question, rollout.answers),
            rollout.prompt_ids,
            rollout.episode.first(turns),
            [segment for segment in rollout.segments if segment.turn < turns],
        )
        for rollout, turns in prefixes
    ]
    return _run(opened, generate, tokenizer, strategy, settings, stats or RolloutStats())


@dataclass(frozen=True, slots=True)
class _Asked:
    id: str
    question: str
    answers: tuple[str, ...]


def rendered(tokenizer: Any, *texts: str) -> str:
    """A conversation by the tokenizer's chat template, user and assistant in turn, up to where the policy goes on."""
    roles = cycle(("user", "assistant"))
    messages = [{"role": role, "content": content} for role, content in zip(roles, texts, strict=False)]
    return str(tokenizer.apply_chat_template(messages, tokenize=False, add_generation_prompt=True))


def prompt_ids(tokenizer: Any, text: str) -> tuple[int, ...]:
    """The prompt's tokens: ``text``, an episode's prompt, as the first message of the tokenizer's chat template."""
    return tuple(tokenizer.encode(rendered(tokenizer, text), add_special_tokens=False))


def between_turns(tokenizer: Any) -> tuple[str, str]:
    """What stands before and after a knowledge block, which is the user's message.

    So training sees the same text as ``clew ask``, where knowledge is a message of its own.
    """
    turn, block = "\u2020turn\u2020", "\u2020block\u2020"
    before, after = rendered(tokenizer, "q", turn, block).split(turn, 1)[1].split(block, 1)
    return before, after


def _run(
    opened: list[_Open],
    generate: Generate,
    tokenizer: Any,
    strategy: Strategy,
    settings: RolloutSettings,
    stats: RolloutStats,
) -> list[Rollout]:
    """Turn by turn until every trajectory has stopped."""
    started = time.perf_counter()
    frame = between_turns(tokenizer)
    stats.trajectories += len(opened)
    while active := [one for one in opened if not one.episode.stopped]:
        room = [min(settings.max_turn_tokens, settings.max_tokens - one.length) for one in active]
        sampled = generate([one.context for one in active], max(room))
        for one, ids, limit in zip(active, sampled, room, strict=True):
            _take_turn(one, ids[:limit], tokenizer, settings)
        stats.turns += len(active)
        asking = [one for one in active if not one.episode.stopped]
        _answer_queries(asking, tokenizer, frame, strategy, settings, stats)
    stats.seconds += time.perf_counter() - started
    return [one.close() for one in opened]


def _take_turn(one: _Open, ids: list[int], tokenizer: Any, settings: RolloutSettings) -> None:
    """Add the policy's tokens, read what they say, and stop where the trajectory ends."""
    index, dialect = len(one.episode.turns), settings.dialect
    if ids:
        one.segments.append(Segment("policy", index, tuple(ids)))
    spoken = ids[:-1] if ids and ids[-1] == tokenizer.eos_token_id else ids
    text = tokenizer.decode(spoken, skip_special_tokens=False)
    one.episode = one.episode.with_turn(text)
    if one.episode.answer is not None:
        if ids[-1] != tokenizer.eos_token_id:
            # TRL takes a completion without it for one that was cut.
            one.segments.append(Segment("environment", index, (tokenizer.eos_token_id,)))
    elif one.episode.stopped == "malformed" and not dialect.ends(text) and one.length >= settings.max_tokens:
        one.episode = one.episode.ended("tokens")


def _answer_queries(
    asking: list[_Open],
    tokenizer: Any,
    frame: tuple[str, str],
    strategy: Strategy,
    settings: RolloutSettings,
    stats: RolloutStats,
) -> None:
    """One retrieval for all whose query waits, each distinct query once; then what each is shown, where it fits."""
    if not asking:
        return
    queries = list(dict.fromkeys(one.episode.query for one in asking if one.episode.query))
    found = dict(zip(queries, _retrieve(strategy, queries, settings, stats) if queries else (), strict=True))
    after = []
    for one in asking:
        result = found.get(one.episode.query)
        after.append(one.episode.found(result) if result else one.episode)
        stats.queries += result is not None
        stats.repeated += result is None
        stats.empty += result is not None and not (result.facts or result.passages)
        stats.hits += result is not None and _names_answer(result, one.question.answers)
    texts = [frame[0] + episode.knowledge + frame[1] for episode in after]
    for one, episode, ids in zip(asking, after, tokenizer(texts, add_special_tokens=False)["input_ids"], strict=True):
        if one.length + len(ids) >= settings.max_tokens:
            one.episode = one.episode.ended("tokens")
        else:
            one.segments.append(Segment("environment", len(episode.turns) - 1, tuple(ids)))
            one.episode = episode


def _names_answer(result: Retrieved, answers: Sequence[str]) -> bool:
    texts = [*(fact.text for fact in result.facts), *(passage.text for passage in result.passages)]
    text = f" {normalize_answer(' '.join(texts))} "
    return any(f" {normalize_answer(answer)} " in text for answer in answers)


def _retrieve(
    strategy: Strategy, queries: list[str], settings: RolloutSettings, stats: RolloutStats
) -> list[Retrieved]:
    """The strategy's results; a Neo4j that is away is waited for, which delays the run and loses nothing."""
    away_since: float | None = None
    for attempt in count():
        started = time.perf_counter()
        try:
            results = strategy.retrieve(queries, settings.k)
        except DatabaseError as error:
            away_since = away_since or started
            if time.perf_counter() - away_since > settings.patience:
                raise
            pause = min(2.0**attempt, LONGEST_WAIT)
            _log.warning("Training waits for Neo4j and tries again in %.0f s: %s", pause, error)
            time.sleep(pause)
            continue
        stats.retrieval_seconds += time.perf_counter() - started
        if away_since is not None:
            waited = started - away_since
            stats.waited += waited
            _log.warning("Neo4j is back after %.0f s; training goes on.", waited)
        return results
    raise AssertionError("unreachable")
