"""The agent's loop: think, query, read, again, until it answers (Graph-R1 §4.2, algorithm 1).

``run`` drives it and reports every event to a callback; ``stream`` is the same as an iterator, for pages that show the
steps as they happen. What a turn may look like is the protocol's matter, what it says the policy's, and what follows
from it the episode's; here is what reaches outside: the policy, the strategy, the clock, and whoever stops the run.
Every limit ends a trajectory instead of losing it.
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

from clew.agent.abstain import FOUND, STOPPED, UNKNOWN, is_unknown
from clew.agent.citations import Spans, cite, quoted
from clew.agent.episode import CORRECTIONS, Episode, Turn
from clew.agent.policy import Policy
from clew.agent.protocol import Dialect
from clew.errors import BudgetExceededError, InputError
from clew.questions.grammar import plan
from clew.retrieval.strategy import Strategy
from clew.text.neutralise import neutralise
from clew.text.normalise import clean
from clew.tracing import span
from clew.types import Citation, Step, Support, Trajectory, Usage, Verdict

MAX_QUESTION_CHARS = 8_000
CUT_OFF = "The model's reply was cut off in the middle of this answer; raise CLEW_LLM_REPLY_TOKENS."
"""Why an answer that is not whole is not sure."""
MORE = 2
"""How many times the facts of another question one gets that asks for a list, a number of things, or a summary."""
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

Judge = Callable[[str, str, Sequence[Citation], Sequence[Step]], tuple[Verdict, tuple[Support, ...]]]
"""Question, answer (empty for none), citations and steps to a verdict, and the spans to cite instead, if any."""


def run(
    question: str,
    *,
    policy: Policy,
    strategy: Strategy,
    kb: str,
    dialect: Dialect,
    k: int = 5,
    max_turns: int = 8,
    corrections: int = CORRECTIONS,
    spans: Spans | None = None,
    judge: Judge | None = None,
    history: Sequence[tuple[str, str]] = (),
    on_event: Callable[[Event], None] | None = None,
    should_stop: Callable[[], bool] | None = None,
) -> Trajectory:
    """Answer ``question`` over the turns of ``policy``, each query sent to ``strategy`` for ``k`` facts.

    ``max_turns`` and ``corrections`` are the episode's (``clew.agent.episode``).
    ``spans`` reads the cited documents; without it there are no citations. ``history`` holds earlier questions with
    their answers, for policies that follow a conversation: those with a method ``restate``, which is given both and
    says the question so that it can be understood alone.
    ``judge`` says how far citations support the answer of a policy that gives no verdict of its own.
    ``should_stop`` is asked between turns and whenever the policy writes something.

    The trajectory's ``stopped`` is empty for an answer in good form, else it names what ended the run: ``unknown``
    (the agent says that it does not know), ``guess`` (it names what is likeliest, without being sure), ``malformed``
    (two replies in a row; what can be read of an answer counts), ``turns``, ``tokens``, ``cost`` (a limit), or
    ``stopped`` (``should_stop``, or Ctrl-C).

    Raises InputError for a question that is empty or too long, ModelError and DatabaseError where those fail.
    """
    question = check_question(question)
    if max_turns < 1:
        raise InputError("The agent needs at least one turn; set max_turns to 1 or more.")
    safe = neutralise(question)
    if restate := getattr(policy, "restate", None):
        safe = restate(safe, history)
    episode = Episode(dialect, max_turns, corrections)
    more = MORE if plan(question).kind in ("list", "count", "summary") else 1
    run_ = _Run(safe, policy, strategy, more * k, episode, on_event or _ignore, should_stop or _never)
    broken_off = ""
    began = time.perf_counter()
    try:
        with span("invoke_agent clew", gen_ai__operation__name="invoke_agent", gen_ai__data_source__id=kb):
            run_.turns()
    except (KeyboardInterrupt, _Stop):
        broken_off = "stopped"
    except BudgetExceededError as error:
        broken_off = error.limit
        run_.usage += error.usage
        run_.report(Note(len(run_.steps), str(error)))
    trajectory = _concluded(run_, broken_off, question, kb, spans, judge, time.perf_counter() - began)
    run_.report(Finished(trajectory))
    return trajectory


def _concluded(
    run_: _Run, broken_off: str, question: str, kb: str, spans: Spans | None, judge: Judge | None, seconds: float
) -> Trajectory:
    """What a run has come to: its answer with verdict and citations."""
    ended = run_.episode.stopped
    last = run_.episode.turns[-1] if ended else Turn("")
    answer = last.unclosed if last.answer is None else last.answer
    answered = not is_unknown(answer)
    doubt = "unknown" if not answered else "guess" if run_.unsure else ""
    citations: tuple[Citation, ...] = ()
    if spans and answered and not run_.support:
        citations = cite(question, run_.steps, answer, spans=spans, dialect=run_.episode.dialect)
    verdict, support = _verdict(run_, broken_off, answer if answered else "", citations, judge)
    if answer and last.answer is None and verdict.kind == "sure":
        verdict = Verdict("probable", CUT_OFF)
    if spans and support:
        citations = quoted(support, spans)
    elif verdict.kind == "unsupported":
        citations = ()
    return Trajectory(
        id=uuid.uuid4().hex,
        kb=kb,
        question=question,
        answer=answer if answered else {"found": FOUND, "stopped": STOPPED}.get(verdict.kind, UNKNOWN),
        answered=answered,
        steps=tuple(run_.steps),
        citations=citations,
        policy=run_.policy.name,
        strategy=run_.strategy.name,
        seconds=seconds,
        usage=run_.usage,
        stopped=broken_off or ("" if ended == "answer" else ended) or doubt,
        verdict=verdict,
    )


def _verdict(
    run_: _Run, broken_off: str, answer: str, citations: tuple[Citation, ...], judge: Judge | None
) -> tuple[Verdict, tuple[Support, ...]]:
    """How sure the ``answer`` is, and what supports it; the policy's word counts before the judge's."""
    if broken_off == "stopped" and not answer:
        return Verdict("stopped", "It was stopped before it had an answer."), ()
    if run_.verdict is not None:
        return run_.verdict, run_.support
    return (judge or _unjudged)(run_.question, answer, citations, run_.steps)


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
    judge: Judge | None = None,
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
                judge=judge,
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
    """One question on its way: drives its episode with a policy and a strategy, and reports what happens."""

    question: str
    policy: Policy
    strategy: Strategy
    k: int
    episode: Episode
    report: Callable[[Event], None]
    should_stop: Callable[[], bool]
    steps: list[Step] = field(default_factory=list)
    usage: Usage = Usage()
    unsure: bool = False
    verdict: Verdict | None = None
    support: tuple[Support, ...] = ()

    def turns(self) -> None:
        """Take turns until one answers, or something ends the run."""
        while not self.episode.stopped:
            began = time.perf_counter()
            number = len(self.steps)
            self._hear(number)
            latest = self.episode.turns[-1]
            if latest.query:
                self.report(Queried(number, latest.thought, latest.query))
            if self.episode.query:
                with (
                    _RETRIEVING,
                    span("execute_tool search", gen_ai__operation__name="execute_tool", gen_ai__tool__name="search"),
                ):
                    [result] = self.strategy.retrieve([latest.query], self.k)
                self.episode = self.episode.found(result)
            elif latest.query:
                self.report(Note(number, latest.note))
            turn = self.episode.turns[-1]
            seconds = time.perf_counter() - began
            step = Step(turn.thought, turn.query, turn.facts, turn.passages, turn.raw, turn.note, seconds)
            self.steps.append(step)
            self.report(Stepped(number, step))

    def _hear(self, number: int) -> None:
        """Let the policy write a turn, until the episode takes it."""
        while len(self.episode.turns) == number:
            self.episode = self.episode.with_turn(self._act(number))
            if self.episode.failed:
                error = self.episode.failed[-1].error
                text = f"The first reply of this turn could not be used: {error}."
                self.report(Note(number, text, retry=True))

    def _act(self, number: int) -> str:
        def emit(text: str) -> None:
            if self.should_stop():
                raise _Stop
            if text:
                self.report(Delta(number, text))

        if self.should_stop():
            raise _Stop
        now = self.episode
        written = self.policy.act(self.question, self.steps, final=now.final, correction=now.correction, emit=emit)
        self.usage += written.usage
        self.unsure, self.verdict, self.support = written.unsure, written.verdict, written.support
        return written.text


def _unjudged(
    question: str, answer: str, citations: Sequence[Citation], steps: Sequence[Step]
) -> tuple[Verdict, tuple[Support, ...]]:
    """What can be said of an answer that nobody reads again."""
    if answer:
        return Verdict("probable", "" if citations else "No sentence supports this answer."), ()
    return Verdict("nothing", "Nothing that was found bears on the question."), ()


def _ignore(event: Event) -> None:
    pass


def _never() -> bool:
    return False
