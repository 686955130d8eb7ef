"""The agent's loop: think, query, read, again, until it answers (Graph-R1 §4.2, algorithm 1).

``run`` drives it and reports every event to a callback; ``stream`` is the same as an iterator, for pages that show the
steps as they happen. What a turn may look like is the protocol's matter, and what it says the policy's; here are the
rules: one correction for a malformed turn, no query twice, an answer on the last turn, and every limit ends a
trajectory instead of losing it.
"""

from __future__ import annotations

import contextvars
import os
import queue
import threading
import time
import uuid
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from clew.agent.abstain import UNKNOWN, is_unknown
from clew.agent.cite import Spans, cite, strip_markers
from clew.agent.policy import Policy
from clew.agent.protocol import REPEATED, Dialect, ParsedTurn, normalise_query
from clew.errors import BudgetExceededError, InputError
from clew.retrieval.strategy import Strategy
from clew.text.neutralise import neutralise
from clew.text.normalise import clean
from clew.types import Fact, Passage, Retrieved, Step, Trajectory, Usage

MAX_QUESTION_CHARS = 8_000
MAX_QUERY_CHARS = 1_000
MAX_ANSWER_CHARS = 4_000
_RETRIEVING = threading.BoundedSemaphore(max(8, 2 * (os.cpu_count() or 1)))
"""Retrievals of one process at a time: more would only wait for the processor, each with its arrays in memory."""


@dataclass(frozen=True, slots=True)
class Delta:
    """Text of turn ``turn`` (from 0) as the policy writes it."""

    turn: int
    text: str


@dataclass(frozen=True, slots=True)
class Queried:
    """The policy has thought, and now asks the graph."""

    turn: int
    thought: str
    query: str


@dataclass(frozen=True, slots=True)
class Stepped:
    """A turn is complete: a query with what it brought, or the answering turn."""

    turn: int
    step: Step


@dataclass(frozen=True, slots=True)
class Note:
    """Something to tell the reader. After ``retry`` the turn is written anew: its deltas so far are void."""

    turn: int
    text: str
    retry: bool = False


@dataclass(frozen=True, slots=True)
class Finished:
    """The end, always the last event."""

    trajectory: Trajectory


Event = Delta | Queried | Stepped | Note | Finished


def run(
    question: str,
    *,
    policy: Policy,
    strategy: Strategy,
    kb: str,
    dialect: Dialect,
    k: int = 5,
    max_turns: int = 8,
    spans: Spans | None = None,
    history: Sequence[tuple[str, str]] = (),
    on_event: Callable[[Event], None] | None = None,
    should_stop: Callable[[], bool] | None = None,
) -> Trajectory:
    """Answer ``question`` over the turns of ``policy``, each query sent to ``strategy`` for ``k`` facts.

    ``spans`` reads the cited documents; without it there are no citations. ``history`` holds earlier questions with
    their answers, for policies that follow a conversation: those with a method ``restate``, which is given both and
    says the question so that it can be understood alone.
    ``should_stop`` is asked between turns and whenever the policy writes something.

    The trajectory's ``stopped`` is empty for an answer in good form, else it names what ended the run: ``unknown``
    (the agent says that it does not know), ``guess`` (it names what is likeliest, without being sure), ``malformed``
    (two replies in a row; their answer counts if one can be read), ``turns``, ``tokens``, ``cost`` (a limit), or
    ``stopped`` (``should_stop``, or Ctrl-C).

    Raises InputError for a question that is empty or too long, ModelError and DatabaseError where those fail.
    """
    question = check_question(question)
    if max_turns < 1:
        raise InputError("The agent needs at least one turn; set max_turns to 1 or more.")
    safe = neutralise(question)
    if restate := getattr(policy, "restate", None):
        safe = restate(safe, history)
    run_ = _Run(safe, policy, strategy, dialect, k, max_turns, on_event or _ignore, should_stop or _never)
    began = time.perf_counter()
    try:
        run_.turns()
    except (KeyboardInterrupt, _Stop):
        run_.stopped = "stopped"
    except BudgetExceededError as error:
        run_.stopped = error.limit
        run_.usage += error.usage
        run_.report(Note(len(run_.steps), str(error)))
    answer = strip_markers(run_.answer or "")[:MAX_ANSWER_CHARS]
    answered = not is_unknown(answer)
    citations = cite(question, run_.steps, answer, spans=spans, dialect=dialect) if answered and spans else ()
    trajectory = Trajectory(
        id=uuid.uuid4().hex,
        kb=kb,
        question=question,
        answer=answer if answered else UNKNOWN,
        answered=answered,
        steps=tuple(run_.steps),
        citations=citations,
        policy=policy.name,
        strategy=strategy.name,
        seconds=time.perf_counter() - began,
        usage=run_.usage,
        stopped=run_.stopped or ("unknown" if not answered else "guess" if run_.unsure else ""),
    )
    run_.report(Finished(trajectory))
    return trajectory


def stream(
    question: str,
    *,
    policy: Policy,
    strategy: Strategy,
    kb: str,
    dialect: Dialect,
    k: int = 5,
    max_turns: int = 8,
    spans: Spans | None = None,
    history: Sequence[tuple[str, str]] = (),
    should_stop: Callable[[], bool] | None = None,
) -> Iterator[Event]:
    """``run`` as an iterator over its events; the last one is Finished.

    The run has a thread of its own. It stops soon after the iterator is closed; Ctrl-C ends it with a trajectory.
    Raises what ``run`` raises.
    """
    events: queue.SimpleQueue[Event | BaseException] = queue.SimpleQueue()
    closed = threading.Event()

    def work() -> None:
        try:
            run(
                question,
                policy=policy,
                strategy=strategy,
                kb=kb,
                dialect=dialect,
                k=k,
                max_turns=max_turns,
                spans=spans,
                history=history,
                on_event=events.put,
                should_stop=lambda: closed.is_set() or (should_stop is not None and should_stop()),
            )
        except BaseException as error:  # handed over to the thread that reads the events
            events.put(error)

    context = contextvars.copy_context()
    threading.Thread(target=context.run, args=(work,), name="clew-agent", daemon=True).start()
    try:
        while True:
            try:
                event = events.get()
            except KeyboardInterrupt:
                if closed.is_set():
                    raise
                closed.set()
                continue
            if isinstance(event, BaseException):
                raise event
            yield event
            if isinstance(event, Finished):
                return
    finally:
        closed.set()


def check_question(question: str) -> str:
    """The question without surrounding space. Raises InputError if it is empty or longer than the limit."""
    question = clean(question).strip()
    if not question:
        raise InputError("The question is empty; ask something.")
    if len(question) > MAX_QUESTION_CHARS:
        raise InputError(
            f"The question has {len(question):,} characters; ask in at most {MAX_QUESTION_CHARS:,}, "
            "and ingest longer texts as documents."
        )
    return question


class _Stop(BaseException):
    """Raised inside ``emit`` to leave a policy in mid-sentence; no policy's own handlers should catch it."""


@dataclass(slots=True)
class _Run:
    """One question on its way."""

    question: str
    policy: Policy
    strategy: Strategy
    dialect: Dialect
    k: int
    max_turns: int
    report: Callable[[Event], None]
    should_stop: Callable[[], bool]
    steps: list[Step] = field(default_factory=list)
    usage: Usage = Usage()
    answer: str | None = None
    stopped: str = ""
    unsure: bool = False

    def turns(self) -> None:
        """Take turns until one answers, or something ends the run."""
        asked: set[str] = set()
        for turn in range(self.max_turns):
            began = time.perf_counter()
            final = turn == self.max_turns - 1
            parsed, raw, note = self._well_formed(turn, final)
            if not self.stopped and parsed.query:
                self.report(Queried(turn, parsed.thought, parsed.query))
                found = Retrieved(parsed.query)
                if normalise_query(parsed.query) in asked:
                    note = REPEATED
                    self.report(Note(turn, note))
                else:
                    asked.add(normalise_query(parsed.query))
                    with _RETRIEVING:
                        [found] = self.strategy.retrieve([parsed.query], self.k)
                self._step(turn, parsed, raw, note, began, found.facts, found.passages)
                continue
            self._step(turn, parsed, raw, note, began)
            self.answer = parsed.answer
            return

    def _well_formed(self, turn: int, final: bool) -> tuple[ParsedTurn, str, str]:
        """The policy's turn, after one correction if it needs one; the note says so. Sets ``stopped`` if both fail."""
        parsed, raw = self._act(turn, final, "")
        if not parsed.error:
            return parsed, raw, ""
        note = f"The first reply of this turn could not be used: {parsed.error}."
        self.report(Note(turn, note, retry=True))
        again, raw_again = self._act(turn, final, self.dialect.correction(parsed.error))
        if not again.error:
            return again, raw_again, note
        self.stopped = "turns" if final and self.dialect.is_well_formed(raw_again) else "malformed"
        if again.answer is None and parsed.answer is not None:
            again, raw_again = parsed, raw
        return again, raw_again, f"Neither reply of this turn could be used: {parsed.error}; {again.error}."

    def _act(self, turn: int, final: bool, correction: str) -> tuple[ParsedTurn, str]:
        def emit(text: str) -> None:
            if self.should_stop():
                raise _Stop
            if text:
                self.report(Delta(turn, text))

        if self.should_stop():
            raise _Stop
        written = self.policy.act(self.question, self.steps, final=final, correction=correction, emit=emit)
        self.usage += written.usage
        self.unsure = written.unsure
        raw = clean(written.text)
        parsed = self.dialect.parse_turn(raw)
        error = parsed.error
        if not error and final and parsed.query:
            error = "no lookup is left, this turn must answer"
        return ParsedTurn(parsed.thought, parsed.query[:MAX_QUERY_CHARS], parsed.answer, error), raw

    def _step(
        self,
        turn: int,
        parsed: ParsedTurn,
        raw: str,
        note: str,
        began: float,
        facts: tuple[Fact, ...] = (),
        passages: tuple[Passage, ...] = (),
    ) -> None:
        query = "" if self.stopped or parsed.answer is not None else parsed.query
        step = Step(parsed.thought, query, facts, passages, raw, note, time.perf_counter() - began)
        self.steps.append(step)
        self.report(Stepped(turn, step))


def _ignore(event: Event) -> None:
    pass


def _never() -> bool:
    return False
