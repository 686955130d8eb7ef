"""The rules of one trajectory: think, query, read, again, until it answers (Graph-R1 §4.2, algorithm 1).

An episode knows what its turns have said and shown, and says what follows: whether a reply counts or gets a correction,
what the graph is asked, what the policy is shown and under which numbers, whether the next turn must answer, and when
it has ended and why. It reaches nothing and measures nothing. The agent's loop drives one with a policy and a strategy;
the trainer's rollouts drive a batch of them with tokens. So training sees what ``clew ask`` shows.

    episode = episode.with_turn(reply)             # the policy's words
    if episode.query:                              # the graph is to be asked
        episode = episode.found(result)
    episode.knowledge                              # what the policy reads next

All state is in the turns: an episode that goes on from its first turns is rebuilt from them (``first``).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import count, islice
from typing import Literal, Protocol

from clew.agent.protocol import REPEATED, Dialect, get_dialect, normalise_query
from clew.text.normalise import clean
from clew.types import Fact, Passage, Retrieved, Step

MAX_QUERY_CHARS = 1_000
MAX_ANSWER_CHARS = 4_000
CORRECTIONS = 1
"""How often the agent lets a turn in bad form be written anew. Training lets none."""

MARKER = r"\[\d+(?:\s*[,;–-]\s*\d+)*\]"
"""How thoughts and answers name facts: ``[n]``, or several numbers in one bracket."""

Stopped = Literal["", "answer", "malformed", "turns", "tokens", "cost", "stopped"]
"""Why an episode ended: an answer in good form; a turn in bad form, whose answer counts where its block is whole; a
query where no turn is left; or what its driver says (a limit on tokens or cost, a person). Empty while it goes on."""


class Looked(Protocol):
    """What numbering needs of a turn, and both ``Turn`` and ``Step`` have."""

    @property
    def query(self) -> str: ...
    @property
    def facts(self) -> tuple[Fact, ...]: ...
    @property
    def passages(self) -> tuple[Passage, ...]: ...


@dataclass(frozen=True, slots=True)
class Turn:
    """What one turn said, and what it showed.

    ``query`` is set where the turn put one: to the graph, or again, which shows nothing. ``answer`` is the final answer
    (None: the turn gave none), ``unclosed`` what stands in an answer block that lacks its end: better than nothing for
    a reader, and nothing for a reward. ``error`` names the fault of a malformed turn, as in ``ParsedTurn``. ``note``
    tells a reader of replies that could not be used, and of repeats.
    """

    thought: str
    query: str = ""
    answer: str | None = None
    error: str = ""
    facts: tuple[Fact, ...] = ()
    passages: tuple[Passage, ...] = ()
    raw: str = ""
    note: str = ""
    unclosed: str = ""

    @property
    def shows(self) -> bool:
        """Whether the turn brought anything to the policy's eyes; one that did not earns nothing."""
        return bool(self.facts or self.passages)


@dataclass(frozen=True, slots=True)
class Episode:
    """One trajectory under way, or at its end. Its methods return the next state and change nothing.

    ``max_turns`` counts turns, the answering one included. ``corrections``: how often a turn in bad form may be written
    anew; the agent grants one, training none, because what is sampled there is what is learnt from. After that, what
    can be read of it counts: a whole answer, else a whole query.
    """

    dialect: Dialect = field(default_factory=lambda: get_dialect("graph-r1"))
    max_turns: int = 8
    corrections: int = 0
    turns: tuple[Turn, ...] = ()
    stopped: Stopped = ""
    failed: tuple[Turn, ...] = ()
    """Replies of the present turn that could not be used."""
    waits: bool = False
    """The last turn's query has not been answered yet."""

    @property
    def final(self) -> bool:
        """Whether the next turn must answer."""
        return len(self.turns) >= self.max_turns - 1

    @property
    def query(self) -> str:
        """What the graph is to be asked now; empty where nothing is."""
        return self.turns[-1].query if self.waits else ""

    @property
    def correction(self) -> str:
        """What the policy is shown of its last reply where it has to write the turn anew; empty where not."""
        return self.dialect.correction(self.failed[-1].error) if self.failed else ""

    @property
    def answer(self) -> str | None:
        """The final answer, None where there is none (yet)."""
        return self.turns[-1].answer if self.turns else None

    @property
    def shown(self) -> dict[int, Fact | Passage]:
        """What the last turn showed, by its numbers."""
        return numbered(self.turns, self.dialect)[-1] if self.turns else {}

    @property
    def knowledge(self) -> str:
        """What the policy reads after its last turn: the block, and the order to answer where no lookup is left."""
        block = blocks(self.turns, self.dialect)[-1] if self.turns else ""
        return block + (self.dialect.last_lookup if self.final else "")

    def prompt(self, question: str) -> str:
        """What the policy reads first."""
        return messages(self.dialect, question, (), final=self.max_turns == 1)[0]["content"]

    def said(self, text: str) -> Episode:
        """Deprecated, gone in 0.4: ``with_turn``."""
        return self.with_turn(text)

    def with_turn(self, text: str) -> Episode:
        """After a reply of the policy: corrected, waiting for the graph, shown a note, or ended."""
        reply = self._read(text)
        replies = (*self.failed, reply)
        if reply.error and len(replies) <= self.corrections:
            return replace(self, failed=replies)
        turn = self._counting(replies)
        stopped: Stopped = ""
        if turn.answer is not None:
            stopped = "malformed" if turn.error else "answer"
        elif not turn.query:
            stopped = "malformed"
        elif self.final:
            stopped = "turns"
        repeats = normalise_query(turn.query) in {normalise_query(t.query) for t in self.turns if t.query}
        if stopped:
            turn = replace(turn, query="")
        elif repeats:
            turn = replace(turn, note=REPEATED)
        waits = not stopped and not repeats
        return replace(self, turns=(*self.turns, turn), stopped=stopped, failed=(), waits=waits)

    def found(self, result: Retrieved) -> Episode:
        """After the graph has answered the last turn's query."""
        turn = replace(self.turns[-1], facts=result.facts, passages=result.passages)
        return replace(self, turns=(*self.turns[:-1], turn), waits=False)

    def ended(self, why: Stopped) -> Episode:
        """Ended from outside. A query that waits stays unanswered: its turn has shown nothing."""
        return replace(self, stopped=why, failed=(), waits=False)

    def first(self, turns: int) -> Episode:
        """As it was after its first ``turns`` turns (s_≤t of ProGraph-R1 eq. 11); itself where it has no more."""
        if turns >= len(self.turns):
            return self
        return replace(self, turns=self.turns[:turns], stopped="", failed=(), waits=False)

    def _read(self, text: str) -> Turn:
        """A reply by itself: a query or an answer only where its block is whole."""
        raw = self.dialect.first_turn(clean(text))
        parsed = self.dialect.parse_turn(raw)
        answer = None if parsed.answer is None else strip_markers(parsed.answer)[:MAX_ANSWER_CHARS]
        query = parsed.query[:MAX_QUERY_CHARS] if answer is None and parsed.closed else ""
        error = parsed.error
        if not error and query and self.final:
            error = "no lookup is left, this turn must answer"
        whole, unclosed = (answer, "") if parsed.closed else (None, answer or "")
        return Turn(parsed.thought, query, whole, error, raw=raw, unclosed=unclosed)

    def _counting(self, replies: tuple[Turn, ...]) -> Turn:
        """The reply that counts when no correction is left: the last one, or an earlier one that answers."""
        last = replies[-1]
        turn = last
        if last.answer is None and (self.final or not last.query):
            answering = [r for r in replies if r.answer is not None] or [r for r in replies if r.unclosed]
            turn = answering[-1] if answering else last
        errors = "; ".join(reply.error for reply in replies if reply.error)
        if not errors:
            return turn
        if not last.error:
            return replace(turn, note=f"The first reply of this turn could not be used: {errors}.")
        which = {1: "The reply of this turn is not", 2: "Neither reply of this turn is"}
        return replace(turn, note=f"{which.get(len(replies), 'No reply of this turn is')} as it should be: {errors}.")


def numbered(turns: Sequence[Looked], dialect: Dialect) -> list[dict[int, Fact | Passage]]:
    """What each turn showed, by the numbers with which thoughts name it.

    Numbers go on over the turns. A turn that asked nothing, or asked again, showed nothing and takes none.
    """
    numbers, asked = count(1), set[str]()
    shown: list[dict[int, Fact | Passage]] = []
    for turn in turns:
        query = normalise_query(turn.query)
        fresh = bool(turn.query) and query not in asked
        evidence = dialect.evidence(turn.facts, turn.passages) if fresh else ()
        shown.append(dict(zip(islice(numbers, len(evidence)), evidence, strict=True)))
        asked.add(query)
    return shown


def blocks(turns: Sequence[Looked], dialect: Dialect) -> list[str]:
    """The knowledge block that the policy was shown after each turn; empty after one that asked nothing."""
    asked: set[str] = set()
    texts = []
    for turn, shown in zip(turns, numbered(turns, dialect), strict=True):
        query = normalise_query(turn.query)
        note = REPEATED if query in asked else ""
        result = Retrieved(turn.query, turn.facts, turn.passages)
        texts.append(dialect.render_knowledge(result, min(shown, default=1), note) if turn.query else "")
        asked.add(query)
    return texts


def messages(
    dialect: Dialect, question: str, steps: Sequence[Step], *, final: bool = False, correction: str = ""
) -> list[dict[str, str]]:
    """Put a trajectory to a chat model: the roles user and assistant alternate strictly, as every server takes it.

    Each turn is the assistant's text, ending with its query; the knowledge is the next message of the user. The last
    message of the user also carries ``correction``, and the order to answer where ``final`` is true.
    """
    chat = [{"role": "user", "content": dialect.render_prompt(question)}]
    for step, block in zip(steps, blocks(steps, dialect), strict=True):
        if step.query:
            well_formed = dialect.is_well_formed(step.raw)
            raw = step.raw if well_formed else dialect.render_turn(step.thought, query=step.query)
            chat += [{"role": "assistant", "content": raw}, {"role": "user", "content": block}]
    if final:
        chat[-1]["content"] += dialect.last_lookup
    if correction:
        chat[-1]["content"] += "\n\n" + correction
    return chat


_MARKED = re.compile(rf"(?<!\s)\s*+{MARKER}")


def strip_markers(answer: str) -> str:
    """Remove the markers ``[n]`` from an answer, in linear time however much white space it holds."""
    return _MARKED.sub("", answer).strip()


def without_markers(answer: str) -> list[int]:
    """Where each character of ``strip_markers`` stands in the answer."""
    gone = {at for match in _MARKED.finditer(answer) for at in range(*match.span())}
    return [at for at in range(len(answer) - len(answer.lstrip()), len(answer)) if at not in gone]
