"""A trajectory as the plain data that the components draw."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest
from typing import TYPE_CHECKING

from clew.agent.episode import MAX_ANSWER_CHARS, strip_markers, without_markers
from clew.agent.numbers import Numbers, overlap
from clew.agent.protocol import get_dialect, normalise_query
from clew.reporting.verdict import WORDS, form, verdict_now
from clew.trajectories.standing import Standing
from clew.types import Citation, Fact, Json, Passage, Source, Step, Trajectory, Verdict
from clew.ui.markup import bracketed, plain, tree
from clew.ui.text import visible

if TYPE_CHECKING:
    from clew.ui.jobs import Asking

LONGEST = 2_000
"""Characters of a fact, thought or quote that are shown; the document shows all of it."""

STOPPED = {
    "turns": "The limit of turns was reached (CLEW_MAX_TURNS).",
    "tokens": "The limit of tokens was reached (CLEW_MAX_TOKENS).",
    "cost": "The limit of cost was reached (CLEW_MAX_COST).",
}


def running(asking: Asking, dialect: str) -> Json:
    """The steps so far of a question that is being answered, with the turn that is under way."""
    writing = asking.writing
    numbers = Numbers(asking.steps, get_dialect(dialect))
    for tag in get_dialect(dialect).tags:
        writing = writing.replace(tag, "\n")
    return {
        "steps": _steps(asking.steps, (), numbers),
        "now": {
            "number": len(asking.steps) + 1,
            "thought": plain(numbers.named(asking.thought or writing[-LONGEST:])),
            "query": asking.query,
            "note": asking.note,
            "label": "Searching the graph" if asking.query else "Thinking",
        },
        "answer": None,
    }


def finished(trajectory: Trajectory, dialect: str, standing: Sequence[Standing] = ()) -> Json:
    """The steps and the answer with its citations; ``standing`` tells how each of these stands now, if it is known."""
    now: Sequence[Standing | None] = standing or [None] * len(trajectory.citations)
    numbers = Numbers(trajectory.steps, get_dialect(dialect))
    return {
        "steps": _steps(trajectory.steps, trajectory.citations, numbers),
        "now": None,
        "answer": {
            "text": trajectory.answer,
            **_own_words(trajectory, numbers, dialect),
            "answered": trajectory.answered,
            "verdict": verdict(trajectory.verdict, standing),
            "note": STOPPED.get(trajectory.stopped, form(trajectory)),
            "looked": _looked(trajectory.steps),
            "citations": [
                _standing(_citation(number, c), one)
                for number, c, one in zip(numbers.of(trajectory.citations), trajectory.citations, now, strict=True)
            ],
            "meta": _meta(trajectory),
        },
    }


def departs(first: Trajectory, second: Trajectory) -> int:
    """The number of the first turn in which two differ by what they ask, find or answer; 0 where none does."""
    ways = [[(normalise_query(s.query), [fact.id for fact in s.facts]) for s in one.steps] for one in (first, second)]
    pairs = list(zip_longest(*ways))
    differing = (number for number, (a, b) in enumerate(pairs, 1) if a != b)
    return next(differing, 0 if first.answer == second.answer else len(pairs))


def _own_words(trajectory: Trajectory, numbers: Numbers, dialect: str) -> Json:
    """A model's answer as a tree with its markers where it put them, and whether it was cut off."""
    if not trajectory.answered or not trajectory.steps or trajectory.policy.startswith("reader"):
        return {"nodes": None, "cut": False}
    turn = get_dialect(dialect).parse_turn(trajectory.steps[-1].raw)
    words = turn.answer or ""
    as_given = strip_markers(words)[:MAX_ANSWER_CHARS] == trajectory.answer
    spans = trajectory.verdict.unsupported
    if as_given and spans:
        places = without_markers(words)
        spans = tuple((places[a], places[b - 1] + 1) for a, b in spans)
    words_marked = bracketed(words if as_given else trajectory.answer, spans)
    return {
        "nodes": tree(numbers.named(words_marked) if as_given else words_marked),
        "cut": as_given and bool(words) and not turn.closed,
    }


def verdict(given: Verdict, standing: Sequence[Standing] = ()) -> Json | None:
    """How sure an answer is, as a word for its badge and the reason beside it; None where nobody has judged it.

    ``kind`` is the one it was given with, ``now`` the one that its badge shows.
    """
    now = verdict_now(given, any(one.touched for one in standing))
    shown = {"now": now.kind, "word": WORDS[now.kind], "reason": now.reason, "partly": bool(given.unsupported)}
    return {"kind": given.kind, **shown} if now.reason else None


def recorded(part: Json) -> Json:
    """What an evaluation has kept of an answer, or of a retrieval: the beginnings of texts, without their places."""
    steps = []
    number = 1
    for index, step in enumerate(part["steps"] or [part], 1):
        evidence = step["facts"] or step["passages"]
        facts = [_kept(item.get("number", n), item) for n, item in enumerate(evidence, number)]
        number += len(facts)
        words = {name: str(step.get(name, ""))[:LONGEST] for name in ("thought", "query", "note")}
        words["query"] = words["query"] or ("The question itself" if evidence else "")
        topics = list(dict.fromkeys(visible(item["title"], 40) for item in evidence if item.get("title")))[:4]
        steps.append({"number": index, **words, "facts": facts, "topics": topics, "seconds": ""})
    quoted = "; ".join(f"{visible(one['title'], 80)}: “{one['quote'][:LONGEST]}”" for one in part["citations"])
    answer: Json = {
        "text": part["answer"],
        "answered": part["answered"],
        "note": quoted,
        "looked": "",
        "citations": [],
        "meta": visible(part["name"], 80),
    }
    return {"steps": steps, "now": None, "answer": answer if part["answer"] else None}


def rollout(row: Json) -> Json:
    """A trajectory of training, as the run has kept it."""
    steps: list[Json] = []
    number = 1
    for index, turn in enumerate(row["turns"], 1):
        evidence = [
            *turn["facts"],
            *({**passage, "text": passage["title"], "title": ""} for passage in turn["passages"]),
        ]
        facts = [_kept(item.get("number", n), item) for n, item in enumerate(evidence, number)]
        number += len(facts)
        malformed = f"{turn['error']} It wrote: {turn['raw']}" if turn["error"] else ""
        words = {"thought": turn["thought"] or "", "query": turn["query"] or "", "note": malformed}
        words = {name: text[:LONGEST] for name, text in words.items()}
        steps.append({"number": index, **words, "facts": facts, "topics": [], "seconds": ""})
    answer: Json = {
        "text": row["answer"] or "No answer",
        "answered": row["answer"] is not None,
        "note": "" if row["correct"] else f"Right: {', '.join(row['answers'][:5])[:LONGEST]}",
        "looked": f"Ended by: {row['stopped']}",
        "citations": [],
        "meta": "right" if row["correct"] else "wrong",
    }
    return {"steps": steps, "now": None, "answer": answer}


def _kept(number: int | None, item: Json) -> Json:
    """A row of what was found, under its number; without one where it was not shown to the policy."""
    title = f"{item['title']}: " if item.get("title") else ""
    used = bool(item.get("supporting"))
    fact = {"text": (title + item["text"])[:LONGEST], "entities": [], "used": used, "sources": []}
    return {"number": "–" if number is None else number, **fact}


def fact_numbers(steps: Sequence[Step], dialect: str) -> dict[str, int]:
    """The number under which the agent's thoughts name each fact, by the fact's id."""
    return Numbers(steps, get_dialect(dialect)).by_id


def citation_numbers(steps: Sequence[Step], citations: Sequence[Citation], dialect: str) -> list[int]:
    """The number that each citation bears beside the answer."""
    return Numbers(steps, get_dialect(dialect)).of(citations)


def supports(source: Source | Passage, citations: Sequence[Citation]) -> bool:
    """Whether one of the citations lies in this span, or around it."""
    return any(overlap(citation, source) for citation in citations)


def _steps(steps: Sequence[Step], citations: Sequence[Citation], numbers: Numbers) -> list[Json]:
    """Facts are numbered as the agent's thoughts name them, over all turns."""
    shown = []
    for index, (step, evidence) in enumerate(zip(steps, numbers.turns, strict=True), 1):
        facts = [_fact(n, item, citations) for n, item in evidence.items()]
        shown.append(
            {
                "number": index,
                "thought": plain(numbers.named(step.thought[:LONGEST])),
                "query": step.query[:LONGEST],
                "note": step.note[:LONGEST],
                "facts": facts,
                "topics": _topics(tuple(evidence.values())),
                "seconds": _seconds(step.seconds),
            }
        )
    return shown


def _fact(number: int, item: Fact | Passage, citations: Sequence[Citation]) -> Json:
    if isinstance(item, Passage):
        return {
            "number": number,
            "text": item.text[:LONGEST],
            "entities": [],
            "used": supports(item, citations),
            "sources": [_source(item)],
        }
    return {
        "number": number,
        "text": item.text[:LONGEST],
        "entities": [visible(name, 60) for name in item.entities],
        "used": any(supports(source, citations) for source in item.sources),
        "sources": [_source(source) for source in item.sources],
    }


def _source(source: Source | Passage) -> Json:
    return {
        "document": source.document,
        "title": visible(source.title, 80),
        "start": source.start,
        "end": source.end,
        "page": source.page,
    }


def _citation(number: int, citation: Citation) -> Json:
    return {
        "number": number,
        "document": citation.document,
        "title": visible(citation.title, 80),
        "start": citation.start,
        "end": citation.end,
        "page": citation.page,
        "section": visible(citation.section, 120),
        "quote": [(piece[:LONGEST], bold) for piece, bold in citation.pieces()],
    }


def _standing(citation: Json, now: Standing | None) -> Json:
    """A citation with the place where it stands now, and what has become of it, in a line and a quote."""
    if now is None or now.state == "same":
        return {**citation, "gone": False, "told": "", "now": ""}
    change = {
        "moved": "",
        "changed": "From an older version. " + ("It says now:" if now.now else "The document no longer says it."),
        "deleted": "This document has been deleted since.",
    }[now.state]
    place = {"start": now.start, "end": now.end}
    return {**citation, **place, "gone": now.state == "deleted", "told": change, "now": now.now[:LONGEST]}


def _topics(evidence: Sequence[Fact | Passage]) -> list[str]:
    """The names that most of the facts share, to say in a line what was found."""
    counts: dict[str, int] = {}
    for item in evidence:
        for name in item.entities if isinstance(item, Fact) else (item.title,):
            counts[name] = counts.get(name, 0) + 1
    return [visible(name, 40) for name in sorted(counts, key=lambda name: -counts[name])[:4]]


def _looked(steps: Sequence[Step]) -> str:
    """What an agent that does not know has looked at."""
    facts = {fact.id for step in steps for fact in step.facts} or {p.id for step in steps for p in step.passages}
    titles = dict.fromkeys(
        source.title for step in steps for fact in step.facts for source in fact.sources[:1]
    ) | dict.fromkeys(passage.title for step in steps for passage in step.passages)
    if not facts:
        return "Nothing was found in the knowledge base."
    names = ", ".join(visible(title, 40) for title in list(titles)[:6]) + (" and others" if len(titles) > 6 else "")
    return f"Looked at {len(facts)} {'fact' if len(facts) == 1 else 'facts'} from {names}."


def _meta(trajectory: Trajectory) -> str:
    turns = len(trajectory.steps)
    parts = [f"{turns} {'turn' if turns == 1 else 'turns'}", _seconds(trajectory.seconds), trajectory.policy]
    parts.append(trajectory.strategy)
    parts += [f"only {condition}" for condition in trajectory.filter]
    usage = trajectory.usage
    if usage.calls:
        parts.append(f"{usage.prompt_tokens + usage.completion_tokens:,} tokens")
    if usage.cost:
        parts.append(f"cost {usage.cost:.4f}")
    return " · ".join(visible(part, 60) for part in parts)


def _seconds(seconds: float) -> str:
    return f"{seconds * 1000:.0f} ms" if seconds < 1 else f"{seconds:.1f} s"
