"""Scripted demonstrations for the tiny policy: the right walk through a world in the protocol's form, with flaws.

The flaws are what reinforcement learning has to repair: most demonstrations forget the rest of the path on the way and
answer with the entity they have come to, some ask twice, some ask for a wrong relation. A policy that imitates them
knows the protocol and seldom gets beyond one hop.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from clew.agent.episode import Episode
from clew.agent.protocol import get_dialect
from clew.trainer.algorithm.rollout import between_turns, prompt_ids
from clew.trainer.demo.tiny import IGNORED, Example
from clew.trainer.demo.world import MAX_HOPS, RELATIONS, World, WorldQuestion, make_question, make_world
from clew.types import Fact, Retrieved

DISTRACTORS = 3
"""Facts of the same subject that a knowledge block holds besides the one that was asked for."""
WORLD_LIFE = 16
"""Demonstrations from one world; then there is a new one, so that no fact can be learnt by heart."""


@dataclass(frozen=True, slots=True)
class Flaws:
    """Probabilities: of a turn that asks again, that forgets the rest of the path, that asks for a wrong relation."""

    repeat: float = 0.12
    forget: float = 0.55
    wrong: float = 0.06


NONE = Flaws(0.0, 0.0, 0.0)


@dataclass(frozen=True, slots=True)
class ScriptedTurn:
    """A turn's text, and the facts that came back; none on the turn that answers."""

    text: str
    query: str = ""
    facts: tuple[str, ...] = ()


def demonstrate(world: World, question: WorldQuestion, rng: random.Random, flaws: Flaws) -> list[ScriptedTurn]:
    """The turns of one walk: each thought restates the fact that was found and the path that remains."""
    dialect = get_dialect("graph-r1")
    turns: list[ScriptedTurn] = []
    here, found = question.path[0], question.path[0]
    for i, relation in enumerate(question.relations):
        remaining = " ".join(question.relations[i:])
        thought = f"{found} | {remaining}"
        if i and rng.random() < flaws.forget:
            return [*turns, ScriptedTurn(dialect.render_turn(f"{found} |", answer=here))]
        if rng.random() < flaws.wrong:
            wrong = rng.choice([r for r in RELATIONS if r not in question.relations[: i + 1]])
            turns.append(_ask(world, here, wrong, thought, rng))
        turns.append(_ask(world, here, relation, thought, rng))
        if rng.random() < flaws.repeat:
            turns.append(_ask(world, here, relation, thought, rng))
        here = world.facts[here, relation][0]
        found = f"{relation} {here}"
    return [*turns, ScriptedTurn(dialect.render_turn(f"{found} |", answer=here))]


def _ask(world: World, subject: str, relation: str, thought: str, rng: random.Random) -> ScriptedTurn:
    others = rng.sample([r for r in RELATIONS if r != relation], DISTRACTORS)
    shown = [relation, *others]
    rng.shuffle(shown)
    query = f"{subject} {relation}"
    text = get_dialect("graph-r1").render_turn(thought, query=query)
    return ScriptedTurn(text, query, tuple(world.text(subject, r) for r in shown))


def demonstration_example(
    tokenizer: Any, question: WorldQuestion, turns: list[ScriptedTurn], *, decides: bool = True
) -> Example:
    """Tokens with labels on what the policy writes, laid out and answered as in rollouts.

    Without ``decides``, whether a later thought has a path that remains carries no label: the walk is practised, and
    not the decision to go on.
    """
    episode = Episode(get_dialect("graph-r1"), max_turns=len(turns) + 1)
    bar = tokenizer.convert_tokens_to_ids("|")
    before, after = between_turns(tokenizer)
    ids = list(prompt_ids(tokenizer, episode.prompt(question.question)))
    labels = [IGNORED] * len(ids)
    for i, turn in enumerate(turns):
        tokens = tokenizer.encode(turn.text, add_special_tokens=False)
        ids += tokens
        skipped = tokens.index(bar) + 1 if i and not decides else -1
        labels += [IGNORED if at == skipped else id for at, id in enumerate(tokens)]
        episode = episode.with_turn(turn.text)
        if episode.query:
            facts = tuple(Fact(str(i), text, (), 1.0) for i, text in enumerate(turn.facts))
            episode = episode.found(Retrieved(turn.query, facts))
        if not episode.stopped:
            heard = tokenizer.encode(before + episode.knowledge + after, add_special_tokens=False)
            ids += heard
            labels += [IGNORED] * len(heard)
    return ids, labels


def demonstrations(
    tokenizer: Any, rng: random.Random, hops: tuple[float, ...], flaws: Flaws, practice: float, walks: tuple[float, ...]
) -> Iterator[Example]:
    """Endless demonstrations; ``hops`` holds the shares of questions with 1, 2, … hops.

    A share ``practice`` are whole walks without flaws, of lengths ``walks``, whose decisions carry no label.
    """
    while True:
        world = make_world(rng)
        for _ in range(WORLD_LIFE):
            practises = rng.random() < practice
            n = rng.choices(range(1, MAX_HOPS + 1), weights=walks if practises else hops)[0]
            question = make_question(world, n, rng)
            turns = demonstrate(world, question, rng, NONE if practises else flaws)
            yield demonstration_example(tokenizer, question, turns, decides=not practises)


def batches_by_length(
    examples: Iterator[Example], size: int, rng: random.Random, buckets: int = 8
) -> Iterator[list[Example]]:
    """Batches of examples of similar length, to pad little."""
    while True:
        pool = sorted((next(examples) for _ in range(size * buckets)), key=lambda one: len(one[0]))
        cut = [pool[i * size : (i + 1) * size] for i in range(buckets)]
        rng.shuffle(cut)
        yield from cut
