"""The policy that needs no language model: a plan of hops, a query for each, and a learned reader for what comes back.

Each turn is one hop of the question, so that a person can follow several. What is answered is a span of a document with
a probability; where that is too low for an answer, the sentences that bear on the question are shown instead.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from clew.agent.abstain import FOUND, UNKNOWN, is_unknown
from clew.agent.conversation import Exchange, recent
from clew.agent.evidence import LIST, Evidence, Passages, gather, shown_passages
from clew.agent.policies.reader.reading import Candidate, asks_metadata, candidates
from clew.agent.policies.reader.spelling import misspelt, unknown
from clew.agent.policies.reader.verdict import nearest
from clew.agent.policy import Turn
from clew.agent.protocol import DIALECTS, Dialect
from clew.questions.compare import decide
from clew.questions.followup import in_full
from clew.questions.grammar import plan
from clew.questions.plan import Hop, Plan
from clew.reader.confidence import YES_NO, Confidence, load_confidence
from clew.reader.reader import Reader, load_reader
from clew.reporting.verdict import STATED
from clew.text.names import key
from clew.types import Step, Support, Verdict, VerdictKind

BRIDGES = 2
"""Values of a hop that others are asked of, at most."""
FAINT = 0.08
"""Probability of a bridge below which nothing is asked of it."""
BRIDGE = 0.2
"""Probability of each hop of a chain whose answer is told, at least."""
CLEAR = 0.5
"""Probability of a whole way of hops from which no other is tried."""
QUERIES = 6
"""Queries of a question, at most."""
LISTED = 0.35
"""Share of the best item's probability from which another one belongs to a list."""
TOLD_BY_SENTENCES = ("summary", "manner", "foreign")
"""Kinds of questions that no span answers: whoever asks one gets the sentences."""
WITHOUT_MODEL = {
    "summary": "Without a language model I write no summary; these sentences come nearest.",
    "reason": "Without a language model I name no reasons; these sentences come nearest.",
    "manner": "Without a language model I do not explain how; these sentences come nearest.",
    "yes/no": "Without a language model I say yes or no only where the documents are clear; read these.",
    "count": "No number is certain enough, and no list to count; these sentences come nearest.",
    "list": "No list is certain enough; these sentences come nearest.",
    "foreign": "Without a language model I answer in English alone; these sentences come nearest.",
    "definition": "I found no definition; these sentences come nearest.",
}
LIKELIEST = "the likeliest words are marked"


@dataclass(frozen=True, slots=True)
class Way:
    """Values of a plan's slots and the candidates they are: one way through its hops, as likely as its weakest one."""

    values: dict[int, str]
    found: dict[int, Candidate] = field(default_factory=dict)
    probability: float = 1.0

    def further(self, hop: Hop, candidate: Candidate) -> Way:
        """The way with a hop's value."""
        return Way(
            self.values | {hop.target: candidate.value},
            self.found | {hop.target: candidate},
            min(self.probability, candidate.probability),
        )


@dataclass(frozen=True, slots=True)
class _Needed:
    """A hop that has to be looked up, and the way to it."""

    hop: Hop
    query: str
    way: Way


class ReaderPolicy:
    """Takes a question apart, looks each hop up, reads what came back, and answers with a verdict.

    Nothing is kept between the calls: all follows from the question and the steps. With ``guess`` the likeliest value
    is named even where it is not probable, and its turn is ``unsure``. ``tables`` reads all rows of tables that were
    shown in part.
    """

    model = False

    def __init__(
        self,
        dialect: Dialect = DIALECTS["graph-r1"],
        reader: Reader | None = None,
        confidence: Confidence | None = None,
        *,
        guess: bool = False,
        tables: Passages | None = None,
    ) -> None:
        self.dialect = dialect
        self.guess = guess
        self.tables = tables
        self.name = "reader-guess" if guess else "reader"
        self._reader = reader or load_reader()
        self._confidence = confidence or load_confidence()

    def restate(self, question: str, history: Sequence[Exchange]) -> str:
        """The question with what it leaves to earlier exchanges: see ``clew.questions.followup``.

        An answer that was none is nothing that a later question can speak of.
        """
        return in_full(question, [(asked, "" if is_unknown(answer) else answer) for asked, answer in recent(history)])

    def act(
        self,
        question: str,
        steps: Sequence[Step],
        *,
        final: bool = False,
        correction: str = "",
        emit: Callable[[str], None] | None = None,
    ) -> Turn:
        """The next turn: a query for the first hop that is open, else the answer; corrections change nothing."""
        evidence = gather(steps, self.dialect)
        wanted = [*evidence.cut_tables(), *(evidence.described() if asks_metadata(question) else ())]
        if self.tables and wanted:
            evidence = replace(evidence, tables=shown_passages(self.tables(wanted)))
        turn = self._turn(question, evidence, final)
        if emit is not None:
            emit(turn.text)
        return turn

    def _turn(self, question: str, evidence: Evidence, final: bool) -> Turn:
        asked, respelt = question, {}
        if evidence.by_query:
            first = next(iter(evidence.by_query.values()))
            respelt = misspelt(plan(question).anchors, first)
            for name, near in respelt.items():
                asked = asked.replace(name, near)
        taken = plan(asked)
        may_ask = not final and len(evidence.by_query) < QUERIES
        way = self._explore(taken, 0, Way(dict(taken.names)), evidence, may_ask)
        if isinstance(way, _Needed):
            return self._ask(taken, way, respelt, first=not evidence.by_query)
        best = self._best(taken, way, evidence)
        whole = taken.question
        if may_ask and not evidence.asked(whole) and not self._given(taken, best):
            thought = f"{_account(taken, way)} That is not enough, so I look up the question as a whole.".strip()
            return Turn(self.dialect.render_turn(thought, query=whole))
        return self._answer(taken, way, best, evidence, respelt)

    def _explore(self, taken: Plan, number: int, way: Way, evidence: Evidence, may_ask: bool) -> Way | _Needed:
        """The most probable way through the hops from ``number`` on, or what it needs to know, if it may be asked."""
        if number == len(taken.hops):
            return way
        hop = taken.hops[number]
        if not taken.ready(hop, way.values):
            return Way(way.values, way.found, 0.0)
        query = hop.query(way.values)
        if not evidence.asked(query):
            return _Needed(hop, query, way) if may_ask else Way(way.values, way.found, 0.0)
        found = self._read(taken, hop, way, evidence)
        width = BRIDGES if taken.leads_on(hop) else 1
        best: Way | None = None
        for candidate in _distinct(found)[:width]:
            if best is not None and (best.probability >= CLEAR or candidate.probability < FAINT):
                break
            on = self._explore(taken, number + 1, way.further(hop, candidate), evidence, may_ask)
            if isinstance(on, _Needed):
                return on
            if best is None or on.probability > best.probability:
                best = on
        return best or Way(way.values, way.found, 0.0)

    def _read(self, taken: Plan, hop: Hop, way: Way, evidence: Evidence) -> list[Candidate]:
        if taken.kind == "foreign":
            return []
        question, names = hop.question(way.values), [way.values[slot] for slot in hop.slots]
        kind = taken.kind if hop is taken.hops[-1] and taken.comparison is None else "value"
        return candidates(
            question, hop.query(way.values), names, hop.expects, evidence, self._reader, self._confidence, kind
        )

    def _best(self, taken: Plan, way: Way, evidence: Evidence) -> tuple[str, float, list[Candidate]] | None:
        """The answer, its probability, and the candidates it rests on."""
        by_hops = _concluded(taken, way)
        if taken.kind == "list" and by_hops is not None:
            return self._listed(taken, way, by_hops, evidence)
        return self._by_hops_or_whole(taken, by_hops, evidence)

    def _by_hops_or_whole(
        self, taken: Plan, by_hops: tuple[str, float, list[Candidate]] | None, evidence: Evidence
    ) -> tuple[str, float, list[Candidate]] | None:
        """The answer by the hops where it is probable; else by the question as a whole, where that is likelier.

        How likely a span is was learnt on questions that one sentence answers. Of a chain, a sentence that shares its
        words with some link of it looks likely, too.
        """
        alone = len(taken.hops) == 1 and taken.comparison is None
        if alone or not evidence.asked(taken.question) or taken.comparison is not None or self._given(taken, by_hops):
            return by_hops
        last = taken.hops[-1]
        whole = candidates(
            taken.question, taken.question, taken.anchors, last.expects, evidence, self._reader, self._confidence
        )
        if whole and (by_hops is None or whole[0].probability > by_hops[1]):
            return whole[0].value, whole[0].probability, [whole[0]]
        return by_hops

    def _given(self, taken: Plan, best: tuple[str, float, list[Candidate]] | None) -> bool:
        """Whether an answer is likely enough to be told.

        Of a chain, its hops must be so on the average (their geometric mean), and none unlikely: that a hop leads on
        to a likely answer speaks for it, too.
        """
        if best is None:
            return False
        _, probability, rests_on = best
        if taken.comparison is None and len(taken.hops) > 1 and len(rests_on) > 1:
            mean = math.prod(one.probability for one in rests_on) ** (1 / len(rests_on))
            return probability >= BRIDGE and mean >= self._confidence.probable
        return probability >= (YES_NO if taken.kind == "yes/no" else self._confidence.probable)

    @staticmethod
    def _skips(taken: Plan, way: Way, best: tuple[str, float, list[Candidate]] | None) -> bool:
        """Whether an answer to a chain is read off a sentence that does not speak of all that the chain asks."""
        if best is None or len(taken.hops) == 1 or taken.comparison is not None or taken.kind in ("list", "count"):
            return False
        last = best[2][-1]
        return last not in way.found.values() and not last.certain

    def _listed(
        self, taken: Plan, way: Way, best: tuple[str, float, list[Candidate]], evidence: Evidence
    ) -> tuple[str, float, list[Candidate]]:
        """The likeliest list, else all values that are nearly as probable as the best one and stand near each other."""
        items = [
            one for one in self._read(taken, taken.hops[-1], way, evidence)
            if one.probability >= LISTED * best[1] and one.support.document == best[2][-1].support.document
        ]  # fmt: skip
        if whole := next((one for one in items if LIST in one.value), None):
            return whole.value, whole.probability, [whole]
        distinct = [a for a in items if not any(a is not b and key(a.value) in key(b.value) for b in items)]
        chosen = sorted(distinct, key=lambda one: one.support.start) or best[2]
        return LIST.join(one.value for one in chosen), best[1], chosen

    def _ask(self, taken: Plan, needed: _Needed, respelt: Mapping[str, str], *, first: bool) -> Turn:
        question = needed.hop.question(needed.way.values)
        aim = f"{'First I ask' if first and len(taken.hops) > 1 else 'I ask' if first else 'Next I ask'}: {question}"
        thought = f"{_respelling(respelt)} {_account(taken, needed.way)} {aim}".strip()
        return Turn(self.dialect.render_turn(thought, query=needed.query))

    def _answer(
        self, taken: Plan, way: Way, best: tuple[str, float, list[Candidate]] | None, evidence: Evidence,
        respelt: Mapping[str, str],
    ) -> Turn:  # fmt: skip
        given = self._given(taken, best) and taken.kind not in TOLD_BY_SENTENCES
        given = given and not self._skips(taken, way, best)
        everything = [one for shown in evidence.by_query.values() for one in shown]
        strange = unknown(taken.anchors, everything) if taken.kind != "foreign" else []  # names have cases elsewhere
        likely = given and not strange
        if best is None or not best[0] or not (likely or self.guess):
            empty = best[2] if best and not best[0] else ()
            return self._found(taken, way, evidence, strange, [one.support for one in empty])
        value, _, rests_on = best
        verdict = self._verdict(taken, way, best, respelt, likely=likely)
        by_hops = rests_on[-1] in way.found.values()
        whole = f"Read as a whole, the question leads to {value}, by {_place(rests_on[-1].support)}."
        thought = _account(taken, way) if by_hops else whole
        if taken.comparison is not None or len(rests_on) > 1:
            thought = f"{thought} So the answer is {value}."
        support = dict.fromkeys(support for one in rests_on for support in (one.support, *one.further))
        text = self.dialect.render_turn(thought, answer=value)
        return Turn(text, unsure=not likely, verdict=verdict, support=tuple(support))

    def _verdict(
        self, taken: Plan, way: Way, best: tuple[str, float, list[Candidate]], respelt: Mapping[str, str], *,
        likely: bool,
    ) -> Verdict:  # fmt: skip
        """How far an answer can be trusted; of a chain, list or comparison no single sentence states it."""
        value, probability, rests_on = best
        alone = len(taken.hops) == 1 and taken.comparison is None and not respelt and taken.kind != "list"
        sure = likely and alone and probability >= self._confidence.sure and all(one.certain for one in rests_on)
        reason = STATED if sure else _doubt(taken, way, value, rests_on, probability)
        kind: VerdictKind = "sure" if sure else "probable" if likely else "guess"
        return Verdict(kind, f"{_respelling(respelt)} {reason}".strip(), probability)

    def _found(
        self, taken: Plan, way: Way, evidence: Evidence, strange: Sequence[str], empty: Sequence[Support]
    ) -> Turn:
        """No value: the rows whose cell is empty, the sentences that bear on the question, or that there are none."""
        found = tuple(empty) or nearest(taken, evidence, self._reader, self._confidence)
        looked = "; ".join(evidence.by_query) or "nothing"
        known = _account(taken, way, self._confidence.probable)
        speaks = f"Nothing that was found speaks of {' or '.join(f'“{name}”' for name in strange)}" if strange else ""
        if empty:
            speaks = "The cell that is asked for is empty"
        if not found:
            thought = f"{known} I looked up: {looked}. Nothing that came back bears on it.".strip()
            verdict = Verdict("nothing", f"{speaks or 'Nothing that was found bears on the question'}.", 0.0)
            return Turn(self.dialect.render_turn(thought, answer=UNKNOWN), verdict=verdict)
        places = ", ".join(dict.fromkeys(_place(one) for one in found))
        thought = f"{known} I looked up: {looked}. The nearest is in {places}.".strip()
        likely = any(one.values for one in found)
        unclear = f"No value is certain enough to give alone; {LIKELIEST if likely else 'these come nearest'}."
        reason = WITHOUT_MODEL.get(taken.kind, unclear)
        return Turn(
            self.dialect.render_turn(thought, answer=FOUND),
            verdict=Verdict("found", f"{speaks}; these sentences come nearest." if speaks else reason, 0.0),
            support=found,
        )


def _distinct(found: Sequence[Candidate]) -> list[Candidate]:
    """The first candidate of each value, with or without its article, so that nothing is asked of it twice."""
    first: dict[str, Candidate] = {}
    for candidate in found:
        first.setdefault(key(candidate.value).removeprefix("the "), candidate)
    return list(first.values())


def _concluded(taken: Plan, way: Way) -> tuple[str, float, list[Candidate]] | None:
    """The answer that a way through all hops leads to; None where it does not come to an end."""
    rests_on = list(way.found.values())
    if taken.comparison is not None:
        if all(hop.target in way.values for hop in taken.hops):
            value = decide(taken.comparison, way.values)
            if value is None and len(taken.hops) == 1:  # an option picked by reading
                value = way.values[taken.hops[0].target]
            return (value, way.probability, rests_on) if value else None
        return None
    last = taken.hops[-1].target
    return (way.values[last], way.probability, rests_on) if last in way.found else None


def _account(taken: Plan, way: Way, least: float = 0.0) -> str:
    """What is known so far with ``least`` probability, hop by hop, each with the place it was read at."""
    lines = []
    for hop in taken.hops:
        if (one := way.found.get(hop.target)) is not None and one.probability >= least:
            lines.append(f"{hop.question(way.values)} {one.value}, by {_place(one.support)}.")
    return " ".join(lines)


def _place(support: Support) -> str:
    return f"[{support.number}]" if support.number else f"“{support.title}”"


def _respelling(respelt: Mapping[str, str]) -> str:
    """What is told of names that were read as others."""
    return " ".join(f"Nothing names “{name}”, so I take it for “{near}”." for name, near in respelt.items())


def _doubt(taken: Plan, way: Way, value: str, rests_on: Sequence[Candidate], probability: float) -> str:
    """Why an answer is no more than probable, and what a person sees it by."""
    share, comparison = f"{probability:.0%}", taken.comparison
    if taken.kind == "list" and not rests_on[-1].reason:
        return f"Read off the facts found; there may be more ({share})."
    if rests_on[-1].reason:
        return f"{rests_on[-1].reason}; check the rows ({share})."
    if comparison is not None and comparison.left:
        sides = zip(comparison.options, (comparison.left, comparison.right), strict=True)
        compared = "; ".join(
            f"{way.values.get(option, '')}: {' to '.join(way.values.get(slot, '') for slot in slots)}"
            for option, slots in sides
        )
        return f"{compared} ({share})."
    if taken.kind == "yes/no":
        return f"The cited sentence says {'so' if value == 'yes' else 'that it is not'}; read it yourself ({share})."
    if len(taken.hops) > 1 and len(rests_on) > 1:
        return f"Read in {len(rests_on)} steps, the weakest of them {share} likely: check each step."
    return f"{share} likely by the words around it; check the cited sentence."
