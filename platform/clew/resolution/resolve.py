"""Entity resolution: which names are of one thing. Pairs are found, scored with reasons, and merged or suggested.

The entities stay as they are. A merge is a relationship ``SAME_AS`` between two of them, from the less to the better
connected one, and what is connected by such relationships is one node for retrieval (``clew.retrieval.graph.copy``).
"""

from __future__ import annotations

import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from clew.database.connection import Database, Row, Tx, pages
from clew.errors import InputError, NotFoundError
from clew.ingest.change import lock
from clew.resolution.block import Pair, pairs_by_name
from clew.resolution.cluster import Clusters
from clew.resolution.context import OTHER_DATE, Context, date_evidence, read_context
from clew.resolution.likeness import WEAK, Evidence, conflict, likeness, may_be_one, ruled_out, score
from clew.resolution.name import Name, take_apart

PAGE = 20_000
NEAREST_BATCH = 500
WRITE = 2000
RIVALS = 8
"""Rows read, searched for and written at once, and names that are looked at as rivals, at most."""
RIVALLED, UNRIVALLED, BEHIND = -1.5, 0.4, 1.2
"""Weight of other names fitting as well, and of none doing so, where names are alike in a weak way; and how much less a
pair must weigh to be no rival."""
MEANING, PER_COSINE = -1.5, 12.0
"""Weight of names that only mean nearly the same, and how it grows with their cosine above the least one."""

Progress = Callable[[str], None]
Judge = Callable[[Sequence["Candidate"]], Mapping[tuple[str, str], tuple[bool, str]]]
"""From suggested pairs, by their ids, whether they are one and why; a pair may be left out."""


@dataclass(frozen=True, slots=True)
class ResolutionSettings:
    """When names are merged or suggested, and what is looked at.

    Pairs of at least ``automatic`` are merged, of at least ``suggest`` suggested. With ``vectors``, the best connected
    entities of two or more facts, at most ``searched``, are compared with the ``nearest`` names by the vector index, of
    a cosine of at least ``least_cosine``.
    """

    automatic: float = 0.85
    suggest: float = 0.5
    vectors: bool = True
    searched: int = 20_000
    nearest: int = 4
    least_cosine: float = 0.85

    def __post_init__(self) -> None:
        if not 0 < self.suggest <= self.automatic <= 1:
            raise InputError(
                f"Thresholds must be 0 < suggest <= automatic <= 1, not {self.suggest:g} and {self.automatic:g}."
            )


@dataclass(frozen=True, slots=True)
class Candidate:
    """Two entities that may be one, by their ids and names, with how likely that is and why."""

    a: str
    b: str
    name_a: str
    name_b: str
    score: float
    reasons: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ResolutionReport:
    """What a resolution found: ``merged`` pairs, ``suggested`` ones, and how long each stage took in seconds."""

    entities: int
    compared: int
    merged: tuple[Candidate, ...]
    suggested: tuple[Candidate, ...]
    judged: int
    seconds: float
    stages: dict[str, float]


@dataclass(slots=True)
class _Found:
    """A pair of rows that is being scored."""

    kind: str
    evidence: list[Evidence]

    @property
    def weight(self) -> float:
        return sum(one.weight for one in self.evidence)


@dataclass(slots=True)
class _Graph:
    """The entities of a knowledge base, by row, and what was decided about them before."""

    ids: list[str]
    shown: list[str]
    names: list[Name]
    known: Mapping[str, int]
    context: Context
    rows: dict[str, int]
    stages: dict[str, float] = field(default_factory=dict)


def resolve(
    database: Database,
    kb: str,
    settings: ResolutionSettings | None = None,
    *,
    judge: Judge | None = None,
    dry_run: bool = False,
    merge: bool = True,
    on_stage: Progress = lambda _: None,
) -> ResolutionReport:
    """Find names of one thing; merge the likely ones, suggest the possible ones, and ask ``judge`` about these.

    What people decided stays: merges are kept, refused pairs stay apart. Suggestions of an earlier run give way to
    those of this one; doing it twice changes nothing. With ``dry_run`` nothing is written; without ``merge`` the likely
    ones are suggested, too. Raises NotFoundError if there is no such knowledge base.
    """
    settings = settings or ResolutionSettings()
    if not (rows := database.read("kb/encoder", kb=kb)):
        raise NotFoundError(f"There is no knowledge base {kb!r}: see `clew kb list`.")
    database = database.at(rows[0]["slot"])
    began = time.perf_counter()
    graph = _read(database, kb, on_stage)
    found = _compare(graph, database, kb, settings, on_stage)
    ranked = sorted(found, key=lambda pair: (-found[pair].weight, pair))
    clusters = _decided(database, kb, graph)
    for a, b in ranked:
        if ruled_out(found[a, b].evidence):
            clusters.keep_apart(a, b)
    compatible = _compatibility(graph, found)
    merged: list[Candidate] = []
    suggested: list[tuple[Pair, Candidate]] = []
    for pair in ranked:
        one = _candidate(graph, pair, found[pair])
        if one.score < settings.suggest or clusters.together(*pair):
            continue
        if one.score >= settings.automatic and clusters.may_unite(*pair, compatible):
            clusters.unite(*pair)
            merged.append(one)
        else:
            suggested.append((pair, one))
    open_ = {pair: one for pair, one in suggested if not clusters.together(*pair) and not clusters.are_apart(*pair)}
    judged, verdicts = _judge(database, kb, judge, list(open_.values()), on_stage)
    by_model = []
    for pair, one in list(open_.items()):
        same, why = verdicts.get((one.a, one.b), (False, ""))
        if same and clusters.may_unite(*pair, compatible):
            clusters.unite(*pair)
            by_model.append(replace(one, reasons=(*one.reasons, f"judged the same: {why}")))
            del open_[pair]
    left = [one for pair, one in open_.items() if not clusters.together(*pair)]
    if not merge:
        left, merged, by_model = [*merged, *by_model, *left], [], []
    if not dry_run:
        on_stage("Writing merges and suggestions")
        with _Timer(graph.stages, "write"):
            _write(database, kb, merged, by_model, left, verdicts)
    seconds = time.perf_counter() - began
    everything = (*merged, *by_model)
    return ResolutionReport(len(graph.ids), len(found), everything, tuple(left), judged, seconds, graph.stages)


def _read(database: Database, kb: str, on_stage: Progress) -> _Graph:
    stages: dict[str, float] = {}
    on_stage("Reading entities and their facts")
    with _Timer(stages, "read"):
        entities: list[Row] = []
        for page in pages(database.read, "resolve/entities", kb=kb, limit=PAGE, by="key"):
            entities += [row for row in page if row["type"] != "date" and any(map(str.isalpha, row["key"]))]
        ids, shown = [row["id"] for row in entities], [str(row["name"]) for row in entities]
        context = read_context(database, kb, ids, shown)
    names = [take_apart(row["key"], str(row["name"])) for row in entities]
    known = Counter(word for name in names for word in set(name.words))
    return _Graph(ids, shown, names, known, context, {id: row for row, id in enumerate(ids)}, stages)


def _compare(
    graph: _Graph, database: Database, kb: str, settings: ResolutionSettings, on_stage: Progress
) -> dict[Pair, _Found]:
    on_stage(f"Comparing the names of {len(graph.ids):,} entities")
    found: dict[Pair, _Found] = {}
    with _Timer(graph.stages, "names"):
        for a, b in pairs_by_name(graph.names):
            if like := likeness(graph.names[a], graph.names[b], graph.known):
                found[a, b] = _Found(*like)
    if settings.vectors:
        on_stage("Looking for names that mean nearly the same")
        with _Timer(graph.stages, "vectors"):
            for pair, cosine in _by_meaning(graph, database, kb, settings):
                name, other = (graph.names[row] for row in pair)
                if pair not in found and name.several == other.several and not conflict(name, other):
                    weight = MEANING + PER_COSINE * (cosine - settings.least_cosine)
                    evidence = [Evidence(min(weight, 0.0), f"the names are only alike in meaning ({cosine:.2f})")]
                    found[pair] = _Found("meaning", evidence)
    on_stage(f"Weighing {len(found):,} pairs")
    with _Timer(graph.stages, "context"):
        for pair, one in found.items():
            one.evidence += graph.context.evidence(*pair, acronym=one.kind == "acronym")
        likely = [pair for pair, one in found.items() if score(one.evidence) >= settings.suggest / 2]
        texts = _Texts(database)
        for pair, evidence in date_evidence(graph.context, likely, texts).items():
            found[pair].evidence += evidence
        _weigh_rivals(graph, found)
    return found


def _by_meaning(
    graph: _Graph, database: Database, kb: str, settings: ResolutionSettings
) -> Iterable[tuple[Pair, float]]:
    degrees = [len(facts) for facts in graph.context.facts_of]
    connected = [row for row, degree in enumerate(degrees) if degree > 1]
    asked = sorted(connected, key=lambda row: (-degrees[row], graph.ids[row]))[: settings.searched]
    for first in range(0, len(asked), NEAREST_BATCH):
        ids = [graph.ids[row] for row in asked[first : first + NEAREST_BATCH]]
        rows = database.read_batch(
            "resolve/nearest", {"ids": ids}, kb=kb, limit=settings.nearest, least=settings.least_cosine
        )
        for row in rows:
            a = asked[first + row["i"]]
            for id, cosine in row["near"]:
                b = graph.rows.get(id)
                if b is not None and a != b:
                    yield (min(a, b), max(a, b)), cosine


def _weigh_rivals(graph: _Graph, found: Mapping[Pair, _Found]) -> None:
    """Names that are alike in a weak way: whether some other name, of something else, fits one of them as well."""
    partners: defaultdict[int, list[int]] = defaultdict(list)
    for (a, b), one in found.items():
        if one.kind != "meaning":
            partners[a].append(b)
            partners[b].append(a)
    compatible = _compatibility(graph, found)
    weights = {pair: one.weight for pair, one in found.items()}
    for (a, b), one in found.items():
        if one.kind not in WEAK:
            continue
        least = weights[a, b] - BEHIND
        rivals = {
            other
            for row, its in ((b, a), (a, b))
            for other in partners[its][:RIVALS]
            if other != row and weights[min(its, other), max(its, other)] > least and not compatible(row, other)
        }
        if rivals:
            named = ", ".join(sorted(graph.shown[row][:40] for row in rivals)[:2])
            one.evidence.append(Evidence(RIVALLED, f"{named} would fit as well"))
        else:
            one.evidence.append(Evidence(UNRIVALLED, "no other name fits"))


def _compatibility(graph: _Graph, found: Mapping[Pair, _Found]) -> Callable[[int, int], bool]:
    def compatible(a: int, b: int) -> bool:
        pair = (min(a, b), max(a, b))
        if pair in found:
            return not ruled_out(found[pair].evidence)
        return may_be_one(graph.names[a], graph.names[b], graph.known)

    return compatible


def _decided(database: Database, kb: str, graph: _Graph) -> Clusters:
    """The clusters there are, and the pairs that were refused."""
    pairs = [(graph.rows.get(row["a"]), graph.rows.get(row["b"])) for row in database.read("resolve/refusals", kb=kb)]
    clusters = Clusters((a, b) for a, b in pairs if a is not None and b is not None)
    for row in database.read("resolve/merges", kb=kb):
        if row["a"] in graph.rows and row["b"] in graph.rows:
            clusters.unite(graph.rows[row["a"]], graph.rows[row["b"]])
    return clusters


def _candidate(graph: _Graph, pair: Pair, found: _Found) -> Candidate:
    """The pair, its better connected entity last."""
    a, b = sorted(pair, key=lambda row: (len(graph.context.facts_of[row]), graph.ids[row]))
    against = any(one.weight <= OTHER_DATE for one in found.evidence)
    reasons = [f"{'' if one.weight > 0 else 'but '}{one.reason}" for one in found.evidence]
    value = round(min(score(found.evidence), 0.49 if against else 1.0), 4)
    return Candidate(graph.ids[a], graph.ids[b], graph.shown[a], graph.shown[b], value, tuple(reasons))


def _judge(
    database: Database, kb: str, judge: Judge | None, suggested: Sequence[Candidate], on_stage: Progress
) -> tuple[int, Mapping[tuple[str, str], tuple[bool, str]]]:
    """The verdicts on suggestions: those of earlier runs, and the judge's on the others."""
    old: dict[tuple[str, str], tuple[bool, str]] = {}
    for row in database.read("resolve/suggestions", kb=kb):
        if row["judged"]:
            old[row["a"], row["b"]] = (False, row["judged"])
    if judge is None:
        return 0, old
    fresh = [one for one in suggested if (one.a, one.b) not in old]
    on_stage(f"Asking a model about {len(fresh):,} pairs")
    verdicts = judge(fresh)
    return len(verdicts), {**old, **verdicts}


def _write(
    database: Database,
    kb: str,
    merged: Sequence[Candidate],
    by_model: Sequence[Candidate],
    suggested: Sequence[Candidate],
    verdicts: Mapping[tuple[str, str], tuple[bool, str]],
) -> None:
    rows = [_row(one) | {"by": "rules"} for one in merged] + [_row(one) | {"by": "model"} for one in by_model]
    there = {
        (row["a"], row["b"]): (row["score"], row["reasons"], row["judged"])
        for row in database.read("resolve/suggestions", kb=kb)
    }
    wanted = {
        (one.a, one.b): _row(one) | {"judged": verdicts.get((one.a, one.b), (False, None))[1]} for one in suggested
    }
    changed = [row for pair, row in wanted.items() if there.get(pair) != (row["score"], row["reasons"], row["judged"])]
    gone = [{"a": a, "b": b} for a, b in there.keys() - wanted.keys()]
    for statement, some in (
        ("resolve/delete_suggestions", gone),
        ("resolve/write_merges", rows),
        ("resolve/write_suggestions", changed),
    ):
        for first in range(0, len(some), WRITE):
            write_pairs(database, kb, statement, some[first : first + WRITE])


def write_pairs(database: Database, kb: str, statement: str, pairs: Sequence[Row]) -> list[Row]:
    """Run one statement on pairs as the knowledge base's only writer."""

    def run(tx: Tx) -> list[Row]:
        lock(tx, kb)
        return tx.run(statement, kb=kb, pairs=list(pairs))

    return database.transaction(run)


def _row(one: Candidate) -> Row:
    return {"a": one.a, "b": one.b, "score": one.score, "reasons": list(one.reasons)}


class _Texts:
    """Reads the texts of hyperedges."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def __call__(self, ids: list[str]) -> dict[str, str]:
        found: dict[str, str] = {}
        for first in range(0, len(ids), PAGE):
            rows = self._database.read("graph/texts", ids=ids[first : first + PAGE])
            found |= {row["id"]: row["text"] for row in rows}
        return found


class _Timer:
    def __init__(self, seconds: dict[str, float], stage: str) -> None:
        self._seconds, self._stage = seconds, stage

    def __enter__(self) -> None:
        self._began = time.perf_counter()

    def __exit__(self, *_: object) -> None:
        self._seconds[self._stage] = round(time.perf_counter() - self._began, 3)
