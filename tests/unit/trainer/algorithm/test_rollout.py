"""Rollouts keep every token with its owner, and end for the right reason."""

from __future__ import annotations

import logging
import random
import time
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clew.agent.protocol import REPEATED
from clew.errors import DatabaseError
from clew.trainer.algorithm.rollout import Generate, Rollout, RolloutSettings, RolloutStats, continuations, rollouts
from clew.trainer.demo.tiny import tiny_model, tiny_tokenizer
from clew.trainer.demo.world import ENTITIES, RELATIONS, WorldQuestion, make_questions, make_world
from clew.trainer.sampling import sampler
from clew.types import Fact, Retrieved

WORLD = make_world(random.Random(0))
QUESTIONS = make_questions(WORLD, 2, 6, random.Random(1))
TOKENIZER = tiny_tokenizer()
LIMITS = RolloutSettings(max_turns=4, max_turn_tokens=14, max_tokens=120, k=2)


class Facts:
    """Looks a world's facts up by what a query says, in memory; away for the first ``failures`` calls."""

    name = "facts"

    def __init__(self, failures: int = 0) -> None:
        self.calls: list[list[str]] = []
        self._failures = failures

    def retrieve(self, queries: Sequence[str], k: int) -> list[Retrieved]:
        self.calls.append(list(queries))
        if self._failures >= len(self.calls):
            raise DatabaseError("Neo4j cannot be reached: start it.")
        return [Retrieved(query, self._facts(query)[:k]) for query in queries]

    def _facts(self, query: str) -> tuple[Fact, ...]:
        subjects = [word for word in query.split() if word in ENTITIES]
        return tuple(Fact(f"{s} {r}", WORLD.text(s, r), (s,), 1.0) for s in subjects for r in RELATIONS)


def saying(*turns: str) -> Generate:
    """A policy that says these turns, one after the other, whatever it is asked."""
    said: dict[int, int] = {}

    def generate(contexts: list[list[int]], limit: int) -> list[list[int]]:
        rows = []
        for i, _ in enumerate(contexts):
            ids: list[int] = TOKENIZER.encode(turns[min(said.get(i, 0), len(turns) - 1)])
            said[i] = said.get(i, 0) + 1
            rows.append(ids[:limit])
        return rows

    return generate


def asks(query: str) -> str:
    return f"<think> {query} | </think> <query> {query} </query>"


def play(generate: Generate, facts: Facts | None = None, n: int = 1, **options: Any) -> list[Rollout]:
    return rollouts(generate, TOKENIZER, QUESTIONS[:n], facts or Facts(), LIMITS, **options)


def test_a_trajectory_reads_as_it_was_written() -> None:
    query = f"{ENTITIES[0]} {RELATIONS[0]}"
    stats = RolloutStats()
    (one,) = play(saying(asks(query), f"<think> x | </think> <answer> {ENTITIES[1]} </answer>"), stats=stats)
    assert (one.stopped, one.answer, one.retrievals) == ("answer", ENTITIES[1], 1)
    assert [segment.owner for segment in one.segments] == ["policy", "environment", "policy", "environment"]
    assert one.segments[-1].ids == (TOKENIZER.eos_token_id,)
    text = TOKENIZER.decode(one.segments[1].ids)
    assert text == f"<knowledge> {' '.join(fact.text for fact in one.turns[0].facts)} </knowledge>"
    assert one.step_of_token == [0] * (len(one.segments[0].ids) + len(one.segments[1].ids)) + [1] * (
        len(one.segments[2].ids) + 1
    )
    assert (stats.queries, stats.turns, stats.empty, stats.repeated) == (1, 2, 0, 0)


def test_each_distinct_query_of_a_turn_is_retrieved_once_and_in_one_call() -> None:
    facts = Facts()
    queries = [f"{name} {RELATIONS[0]}" for name in ENTITIES[: LIMITS.max_turns]]
    play(saying(*map(asks, queries)), facts, n=6)
    assert facts.calls == [[query] for query in queries[:-1]]


def test_a_repeated_query_gets_the_agents_note_and_is_no_retrieval() -> None:
    stats, facts = RolloutStats(), Facts()
    (one,) = play(saying(asks(f"{ENTITIES[0]} {RELATIONS[0]}")), facts, stats=stats)
    assert one.stopped == "turns"
    assert TOKENIZER.decode(one.segments[3].ids) == TOKENIZER.decode(
        TOKENIZER.encode(f"<knowledge> {REPEATED} </knowledge>")
    )
    assert (stats.queries, stats.repeated, one.retrievals, len(facts.calls)) == (1, 2, 1, 1)


def test_what_cannot_be_read_ends_the_trajectory() -> None:
    (one,) = play(saying("<think> x </think>"))
    assert (one.stopped, one.answer, one.retrievals) == ("malformed", None, 0)
    assert one.turns[0].error


def test_a_query_in_bad_form_is_answered_but_its_fault_is_kept() -> None:
    (one,) = play(saying(f"<query> {ENTITIES[0]} ally </query>", "<think> x </think> <answer> y </answer>"))
    assert one.stopped == "answer"
    assert one.turns[0].facts
    assert one.turns[0].error


def test_the_limit_on_tokens_ends_a_trajectory_within_it() -> None:
    limits = RolloutSettings(max_turns=50, max_turn_tokens=14, max_tokens=60, k=2)
    (one,) = rollouts(saying(*(asks(f"{name} ally") for name in ENTITIES)), TOKENIZER, QUESTIONS[:1], Facts(), limits)
    assert one.stopped == "tokens"
    assert len(one.completion_ids) <= 60
    shown = [segment.turn for segment in one.segments if segment.owner == "environment"]
    assert [i for i, turn in enumerate(one.turns) if turn.shows] == shown, "what did not fit was not shown"


def test_neo4j_away_delays_and_loses_nothing(caplog: pytest.LogCaptureFixture) -> None:
    turns = asks(f"{ENTITIES[0]} ally"), "<think> x </think> <answer> y </answer>"
    stats = RolloutStats()
    started = time.perf_counter()
    with caplog.at_level(logging.WARNING):
        delayed = play(saying(*turns), Facts(failures=2), n=2, stats=stats)
    assert time.perf_counter() - started > 2.9
    assert delayed == play(saying(*turns), n=2)
    assert stats.waited > 2.9
    assert stats.retrieval_share < 1
    assert "waits for Neo4j" in caplog.text
    assert "Neo4j is back" in caplog.text


def test_neo4j_away_for_too_long_ends_the_run() -> None:
    impatient = RolloutSettings(max_turns=2, max_turn_tokens=14, max_tokens=99, patience=0.0)
    with pytest.raises(DatabaseError):
        rollouts(saying(asks("x")), TOKENIZER, QUESTIONS[:1], Facts(failures=9), impatient)


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 2**31), st.sampled_from([20, 45, 80, 200]))
def test_no_trajectory_loses_or_invents_a_token(seed: int, most: int) -> None:
    """Ragged rows of a policy that writes anything, tags included, up to every limit."""
    rng = random.Random(seed)
    words = [
        *ENTITIES[:3],
        *RELATIONS[:2],
        "<think>",
        "</think>",
        "<query>",
        "</query>",
        "<answer>",
        "</answer>",
        "[eos]",
    ]
    seen: list[tuple[list[int], list[int]]] = []

    def generate(contexts: list[list[int]], limit: int) -> list[list[int]]:
        rows = []
        for context in contexts:
            text = asks(f"{ENTITIES[0]} ally") if rng.random() < 0.6 else " ".join(rng.choices(words, k=9))
            ids: list[int] = TOKENIZER.encode(text)[:limit]
            seen.append((context, ids))
            rows.append(ids)
        return rows

    limits = RolloutSettings(max_turns=3, max_turn_tokens=14, max_tokens=most, k=2)
    for one in rollouts(generate, TOKENIZER, QUESTIONS, Facts(), limits):
        assert len(one.completion_ids) == len(one.env_mask) == len(one.step_of_token)
        assert sum(segment.owner == "policy" for segment in one.segments) == len(one.turns)
        before: list[int] = list(one.prompt_ids)
        for segment in one.segments:
            if segment.owner == "policy":
                sampled = [ids for context, ids in seen if context == before]
                assert any(tuple(ids[: len(segment.ids)]) == segment.ids for ids in sampled)
            before += segment.ids
        assert before == [*one.prompt_ids, *one.completion_ids]
        assert len(one.completion_ids) <= most + 1


def test_continuations_keep_their_prefix() -> None:
    model = tiny_model(TOKENIZER, 0)
    (one,) = play(saying(asks(f"{ENTITIES[0]} ally"), asks(f"{ENTITIES[1]} ally"), "<answer> x </answer>"))
    for turns in (1, 2, 3):
        (fresh,) = continuations(
            sampler(model, TOKENIZER, LIMITS.dialect, 1.0, seed=1), TOKENIZER, [(one, turns)], Facts(), LIMITS
        )
        kept = [segment for segment in one.segments if segment.turn < turns]
        assert list(fresh.segments[: len(kept)]) == kept
        assert fresh.turns[:turns] == one.turns[:turns]
    assert fresh == one


def test_the_questions_of_a_world_have_one_answer() -> None:
    rng = random.Random(0)
    for hops in range(1, 5):
        for question in make_questions(WORLD, hops, 20, rng):
            assert isinstance(question, WorldQuestion)
            assert len(set(question.relations)) == hops
            assert WORLD.follow(question.path[0], question.relations)[-1:] == question.answers
