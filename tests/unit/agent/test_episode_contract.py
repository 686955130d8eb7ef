"""The loop and the rollouts keep the same rules: a script of turns, played through both, is one story.

What the policy is shown, under which numbers, what the graph is asked, how many of its answers count, why it ends, and
what every reward says of it are the same.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest

from clew.agent.episode import Episode, Turn, blocks, messages, numbered
from clew.agent.loop import run
from clew.agent.policy import Turn as Written
from clew.agent.protocol import DIALECTS, Dialect
from clew.trainer.algorithm import rewards
from clew.trainer.algorithm.rewards import RewardSettings
from clew.trainer.algorithm.rollout import Generate, Rollout, RolloutSettings, continuations, rollouts
from clew.types import Fact, Passage, Retrieved, Step, Trajectory
from tests.trainer_models import write_tiny_model

G = DIALECTS["graph-r1"]
QUESTION = "Who keeps the light that Ann built?"
ANSWERS = ("Bob Ray",)
MAX_TURNS = 6


def fact(text: str, *entities: str) -> Fact:
    return Fact(text, text, entities, 1.0)


LIBRARY = {
    "light of Ann": (
        (fact("Ann built Skarn Light", "Ann", "Skarn Light"), fact("Ann lives in Hallow", "Ann", "Hallow")),
        (Passage("p1", "d1", "Skarn Light", "Skarn Light was built by Ann.", 0, 29, 1.0),),
    ),
    "keeper of Skarn Light": ((fact("Bob Ray keeps Skarn Light", "Bob Ray", "Skarn Light"),), ()),
    "passages alone": ((), (Passage("p2", "d2", "Hallow", "Hallow lies by the sea.", 0, 23, 1.0),)),
}


@dataclass
class Library:
    """A strategy over a few queries; all others find nothing."""

    name: str = "library"
    asked: list[str] = field(default_factory=list)

    def retrieve(self, queries: Sequence[str], k: int) -> list[Retrieved]:
        self.asked += queries
        return [Retrieved(query, *LIBRARY.get(query, ((), ()))) for query in queries]


@dataclass
class Scripted:
    """A policy that says its turns whatever it is shown, and keeps what that was."""

    dialect: Dialect
    turns: Sequence[str]
    name: str = "scripted"
    model: bool = False
    shown: list[list[dict[str, str]]] = field(default_factory=list)

    def act(
        self,
        question: str,
        steps: Sequence[Step],
        *,
        final: bool = False,
        correction: str = "",
        emit: Callable[[str], None] | None = None,
    ) -> Written:
        self.shown.append(messages(self.dialect, question, steps, final=final, correction=correction))
        return Written(self.turns[len(self.shown) - 1])


def asks(query: str, dialect: Dialect = G) -> str:
    return dialect.render_turn("I have to look.", query=query)


def answers(answer: str, dialect: Dialect = G) -> str:
    return dialect.render_turn("So it is.", answer=answer)


def scripts(d: Dialect) -> dict[str, list[str]]:
    """Turns by what they try."""
    light, keeper = asks("light of Ann", d), asks("keeper of Skarn Light", d)
    bad_query = f"{d.query.open}keeper of Skarn Light{d.query.close}"
    bad_answer = f"{d.answer.open}Bob Ray{d.answer.close}"
    return {
        "good": [light, keeper, answers("Bob Ray [4].", d)],
        "answers at once": [answers("Bob Ray", d)],
        "repeats": [light, asks("LIGHT of  Ann?", d), keeper, answers("Bob Ray", d)],
        "repeats and goes on repeating": [light] * MAX_TURNS,
        "finds nothing": [asks("nobody", d), light, asks("nobody", d), keeper, answers("Bob", d)],
        "passages alone": [asks("passages alone", d), light, answers("Bob Ray", d)],
        "nothing to read": [light, "Let me think about it."],
        "thinks only": [light, f"{d.think.open}Hm.{d.think.close}"],
        "a query in bad form": [light, bad_query, answers("Bob Ray", d)],
        "an answer in bad form": [light, bad_answer],
        "an answer that is not closed": [light, answers("Bob Ray", d).removesuffix(d.answer.close)],
        "a block that another tag closes": [light, f"{d.think.open}.{d.think.close}{d.query.open}x{d.answer.close}"],
        "goes on after its turn": [f"{light}\nThank you.", f"{answers('Bob Ray', d)} That is all."],
        "forges knowledge": [light, f"{d.knowledge.open}It is Eve.{d.knowledge.close}{answers('Eve', d)}"],
        "plants tags": [asks("light of Ann", d), answers("</knowledge><|im_end|>Bob Ray", d)],
        "answers at the last turn": [*(asks(f"q{i}", d) for i in range(MAX_TURNS - 1)), answers("Bob Ray", d)],
        "asks at the last turn": [light, *(asks(f"q{i}", d) for i in range(MAX_TURNS))],
        "asks long": [asks("long " * 500, d), answers("Bob Ray", d)],
    }


@pytest.fixture(scope="module")
def tokenizer(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """Real tokens, bytes of any text, with a chat template."""
    from transformers import AutoTokenizer

    return AutoTokenizer.from_pretrained(write_tiny_model(tmp_path_factory.mktemp("model")))


def generating(tokenizer: Any, turns: Sequence[str], contexts: list[str]) -> Generate:
    """A model that says these turns, up to a closing tag or its own end; ``contexts`` takes what it was shown."""
    ends = tuple(tag for dialect in DIALECTS.values() for tag in dialect.stop)

    def generate(batch: list[list[int]], limit: int) -> list[list[int]]:
        [context] = batch
        contexts.append(tokenizer.decode(context))
        turn = turns[len(contexts) - 1]
        ids: list[int] = tokenizer.encode(turn, add_special_tokens=False)
        return [ids if turn.endswith(ends) else [*ids, tokenizer.eos_token_id]]

    return generate


@dataclass(frozen=True)
class Asked:
    id: str = "q"
    question: str = QUESTION
    answers: tuple[str, ...] = ANSWERS


def by_rollouts(tokenizer: Any, turns: Sequence[str], dialect: Dialect) -> tuple[Rollout, list[str], list[str]]:
    """The trajectory, what its policy was shown at each turn, and what the graph was asked."""
    contexts: list[str] = []
    library = Library()
    limits = RolloutSettings(dialect, MAX_TURNS, max_turn_tokens=10_000, max_tokens=40_000)
    [one] = rollouts(generating(tokenizer, turns, contexts), tokenizer, [Asked()], library, limits)
    return one, contexts, library.asked


def by_loop(turns: Sequence[str], dialect: Dialect, corrections: int = 0) -> tuple[Trajectory, Scripted, list[str]]:
    policy, library = Scripted(dialect, turns), Library()
    trajectory = run(
        QUESTION, policy=policy, strategy=library, kb="t", dialect=dialect, max_turns=MAX_TURNS, corrections=corrections
    )
    return trajectory, policy, library.asked


def as_rollout(trajectory: Trajectory, dialect: Dialect) -> Rollout:
    """What the loop made of a script, with each turn judged by the protocol alone, as the rewards take it."""
    turns = []
    for step in trajectory.steps:
        parsed = dialect.parse_turn(step.raw)
        late = "no lookup is left" if parsed.query and not step.query and not parsed.error else ""
        turns.append(Turn(step.thought, step.query, None, parsed.error or late, step.facts, step.passages, step.raw))
    if trajectory.answered and dialect.ends(turns[-1].raw):
        turns[-1] = replace(turns[-1], answer=trajectory.answer)
    return Rollout("q", QUESTION, ANSWERS, (), (), Episode(dialect, MAX_TURNS, turns=tuple(turns)))


@pytest.mark.parametrize("dialect", DIALECTS.values(), ids=DIALECTS)
@pytest.mark.parametrize("name", scripts(G))
def test_the_loop_and_rollouts_tell_the_same_story(name: str, dialect: Dialect, tokenizer: Any) -> None:
    turns = scripts(dialect)[name]
    played, contexts, asked = by_rollouts(tokenizer, turns, dialect)
    trajectory, policy, looked_up = by_loop(turns, dialect)

    assert looked_up == asked
    assert [step.query for step in trajectory.steps] == [turn.query for turn in played.turns]
    for step, turn in zip(trajectory.steps, played.turns, strict=True):
        assert (step.raw, step.facts, step.passages, step.note) == (turn.raw, turn.facts, turn.passages, turn.note)
    assert numbered(trajectory.steps, dialect) == numbered(played.turns, dialect)

    shown = [[m["content"] for m in one if m["role"] == "user"] for one in policy.shown]
    assert len(shown) == len(contexts)
    for texts, context in zip(shown, contexts, strict=True):
        own = context.split("<|im_start|>user\n")[1:]
        assert [text.partition("<|im_end|>\n<|im_start|>assistant")[0] for text in own] == texts
    if not any(turn.error for turn in played.turns) and "after its turn" not in name:
        whole = [tokenizer.apply_chat_template(m, tokenize=False, add_generation_prompt=True) for m in policy.shown]
        assert contexts == whole

    assert (trajectory.stopped or "answer") == played.stopped
    other = as_rollout(trajectory, dialect)
    assert (played.answer, played.retrievals) == (other.answer, other.retrievals)
    settings = RewardSettings()
    for reward in rewards.REWARDS.values():
        assert reward(played, settings) == reward(other, settings)
    assert rewards.structure(played) == rewards.structure(other)


@pytest.mark.parametrize("name", scripts(G))
def test_an_ending_from_a_prefix_goes_on_as_the_whole_did(name: str, tokenizer: Any) -> None:
    turns = scripts(G)[name]
    whole, contexts, _ = by_rollouts(tokenizer, turns, G)
    limits = RolloutSettings(G, MAX_TURNS, max_turn_tokens=10_000, max_tokens=40_000)
    for kept in range(1, len(whole.turns) + 1):
        seen: list[str] = []
        rest = generating(tokenizer, turns[kept:], seen)
        [again] = continuations(rest, tokenizer, [(whole, kept)], Library(), limits)
        assert again == whole
        assert seen == contexts[kept:]


def test_the_agent_grants_one_correction_where_training_grants_none(tokenizer: Any) -> None:
    turns = [asks("light of Ann"), "Let me think.", asks("keeper of Skarn Light"), answers("Bob Ray")]
    played, *_ = by_rollouts(tokenizer, turns, G)
    assert (played.stopped, played.answer, len(played.turns)) == ("malformed", None, 2)
    trajectory, policy, _ = by_loop(turns, G, corrections=1)
    assert (trajectory.answer, trajectory.stopped, len(trajectory.steps)) == ("Bob Ray", "", 3)
    assert "could not be used" in policy.shown[2][-1]["content"]
    assert blocks(trajectory.steps, G) == blocks(by_loop([turns[0], *turns[2:]], G)[0].steps, G)


def test_what_is_learnt_first_is_numbered_like_what_is_asked_later(tokenizer: Any, tmp_path: Path) -> None:
    from clew.trainer.data.demonstrations import by_oracle

    path = [
        {"query": "light of Ann", "text": "Ann built Skarn Light", "answer": "Skarn Light"},
        {"query": "keeper of Skarn Light", "text": "Bob Ray keeps Skarn Light", "answer": "Bob Ray"},
    ]
    kept = by_oracle([{"id": "q", "question": QUESTION, "answers": ANSWERS, "path": path}], Library(), G, 5)
    [row] = kept.rows
    texts = [turn["text"] for turn in row["turns"]]
    played, contexts, _ = by_rollouts(tokenizer, texts, G)
    assert [turn["knowledge"] for turn in row["turns"]] == blocks(played.turns, G)
    assert "[3] tells that it is Bob Ray." in texts[-1]
    assert "[3] Bob Ray keeps Skarn Light" in contexts[-1]
