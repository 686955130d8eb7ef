"""Questions made from the graph itself: walks of one to four facts, put into words, checked, and split by region.

A walk goes from a page over a relation to the page of its answer, and on from there. It becomes a question only if
every relation leads to one answer, the last sentence holds it, and nothing in the wording gives it away. Questions that
share a fact or a page belong to one region, and a region is in one split: no test fact is a training fact.
"""

from __future__ import annotations

import hashlib
import random
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from clew.database.connection import Database
from clew.errors import InputError
from clew.evaluation.metrics import normalize_answer
from clew.files import json_lines, write_whole
from clew.questions.words import BE, is_participle
from clew.text.verbs import base
from clew.trainer.data.gaps import read_gaps
from clew.trainer.data.relations import CLOZES, GAP, Page, Relation, read_relations
from clew.types import Json

HOPS = (1, 2, 3, 4)
SPLITS = ("train", "dev", "test")
MOST_WALKS = 200_000
"""Walks of one length that are looked at before some are drawn."""

_PAST = {"written": "wrote", "sung": "sang", "drawn": "drew"}
"""The past tense of participles that are not their own."""

_AGENTS = {
    "directed": "director", "written": "writer", "produced": "producer", "composed": "composer", "founded": "founder",
    "designed": "designer", "painted": "painter", "sung": "singer", "performed": "performer", "edited": "editor",
    "created": "creator", "built": "builder", "published": "publisher", "developed": "developer",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Synthetic:
    """A question with the walk that it was made from; ``answers`` are spellings of the one answer.

    One that ``compares`` has two walks, one after the other, and is answered by the start of one of them.
    """

    id: str
    question: str
    answers: tuple[str, ...]
    walk: tuple[Relation, ...]
    compares: bool = False

    @property
    def hops(self) -> int:
        """How many facts have to be combined."""
        return len(self.walk)

    def row(self) -> Json:
        """A line of a question file; ``path`` holds the gold queries with what each finds."""
        path = [{"query": _query(r), "fact": r.fact, "text": r.text, "answer": r.answer} for r in self.walk]
        ends = "comparison" if self.compares else "cloze" if self.walk[-1].cloze else self.walk[-1].asks
        return {
            "id": self.id,
            "question": self.question,
            "answers": list(self.answers),
            "supporting": [relation.passage for relation in self.walk],
            "hops": self.hops,
            "kind": f"{self.hops}-hop {ends}",
            "path": path,
        }


def synthesise(
    database: Database,
    kb: str,
    count: int,
    *,
    hops: Sequence[int] = HOPS,
    seed: int = 0,
) -> list[Synthetic]:
    """At most ``count`` questions, as evenly over ``hops`` as the graph allows. Raises InputError if there is none."""
    if not hops or not set(hops) <= set(HOPS):
        raise InputError(f"Questions have {HOPS[0]} to {HOPS[-1]} hops.")
    known = read_relations(database, kb)
    rng = random.Random(seed)
    by_hops = {n: list(_questions(known.relations, n, rng, kb, known.pages)) for n in sorted(set(hops))}
    if 1 in by_hops:
        by_hops[1] += _questions(read_gaps(database, kb, known.rest), 1, rng, kb, known.pages)
    chosen = _evenly(by_hops, count)
    if not chosen:
        raise InputError(
            f"The knowledge base {kb!r} has no sentence that a question can be made of; ingest documents."
            if 1 in by_hops
            else f"The knowledge base {kb!r} has no facts that lead on to others: make questions of one hop."
        )
    return chosen


def split_by_region(questions: Sequence[Synthetic], shares: Mapping[str, float], seed: int = 0) -> dict[str, str]:
    """Which split each question's id is in, so that no two splits share a fact or a page.

    ``shares`` are those of dev and test; the rest is train, and so is a region too large for them. A split that is
    wanted gets at least the smallest region, while another is left for train.
    """
    import networkx  # type: ignore[import-untyped]

    graph = networkx.Graph()
    for question in questions:
        for relation in question.walk:
            graph.add_edge(("question", question.id), ("fact", relation.fact))
            graph.add_edge(("question", question.id), ("page", relation.page))
            if relation.answer_page:
                graph.add_edge(("question", question.id), ("page", relation.answer_page))
    regions = [sorted(id for kind, id in found if kind == "question") for found in networkx.connected_components(graph)]
    random.Random(seed).shuffle(regions := sorted(regions))
    split: dict[str, str] = {}
    for name in ("test", "dev"):
        share = shares.get(name, 0.0)
        wanted = max(round(share * len(questions)), min(map(len, regions))) if share and len(regions) > 1 else 0
        taken = 0
        left = []
        for region in regions:
            if taken + len(region) <= wanted:
                taken += len(region)
                split |= dict.fromkeys(region, name)
            else:
                left.append(region)
        regions = left
    return split | {id: "train" for region in regions for id in region}


def write_splits(folder: Path, rows: Mapping[str, Sequence[Json]]) -> dict[str, Path]:
    """Write train.jsonl, dev.jsonl and test.jsonl; a split without a question gets no file.

    Raises InputError where one is there already or the folder cannot be written.
    """
    files = {name: folder / f"{name}.jsonl" for name in SPLITS if rows.get(name)}
    for file in files.values():
        if file.exists():
            raise InputError(f"{file} exists already; name another folder.")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, file in files.items():
            write_whole(file, json_lines(rows[name], ascii=False), private=False)
    except OSError as error:
        raise InputError(f"{folder} cannot be written ({error.strerror}); name another folder.") from error
    return files


def _questions(
    relations: Sequence[Relation], hops: int, rng: random.Random, kb: str, pages: Mapping[str, Page]
) -> Iterator[Synthetic]:
    """The questions of so many hops, in random order, each answer and start varied by the order."""
    walks = list(_walks(relations, hops, rng))
    rng.shuffle(walks)
    # Where there are better words than a sentence with a gap, they come first; a word of it comes last.
    walks.sort(key=lambda walk: sum(relation.cloze + (relation.asks == "word") for relation in walk))
    for walk in walks:
        text = word(walk, pages)
        answers = _answers(walk[-1], pages)
        if _sound(text, walk, answers):
            id = hashlib.sha256("\n".join([kb, *(r.fact + r.phrase for r in walk)]).encode()).hexdigest()[:16]
            yield Synthetic(id, text, answers, walk)


def _walks(relations: Sequence[Relation], hops: int, rng: random.Random) -> Iterator[tuple[Relation, ...]]:
    of_page: dict[str, list[Relation]] = {}
    for relation in relations:
        of_page.setdefault(relation.page, []).append(relation)
    starts = list(relations)
    rng.shuffle(starts)
    left = MOST_WALKS

    def extend(walk: tuple[Relation, ...]) -> Iterator[tuple[Relation, ...]]:
        if len(walk) == hops:
            yield walk
            return
        page = walk[-1].answer_page
        if page and page not in {relation.page for relation in walk}:
            for relation in of_page.get(page, ()):
                yield from extend((*walk, relation))

    for start in starts:
        for walk in extend((start,)):
            yield walk
            left -= 1
            if not left:
                return


def word(walk: Sequence[Relation], pages: Mapping[str, Page]) -> str:
    """The question of a walk, by templates: one fact is asked for, two are nested, more are asked one after another."""
    first, *rest = walk
    if not rest:
        return _ask(first, first.subject)
    reads_well = walk[-1].asks in ("when", "where", "cloze") or first.phrase.endswith(" by")
    if len(walk) == 2 and reads_well and not first.cloze:
        return _ask(walk[-1], _describe(first, first.subject, pages))
    sentences = [f"Take {_describe(first, first.subject, pages)}"]
    for before, relation in zip(walk, rest[:-1], strict=False):
        sentences.append(f"then {_describe(relation, f'this {_kind(before, pages)}', pages)}")
    kinds = [_kind(relation, pages) for relation in walk[:-1]]
    last = f"that {kinds[-1]}" if kinds.count(kinds[-1]) == 1 else "the latter"
    return f"{', '.join(sentences)}. {_ask(walk[-1], last)}"


def agent_noun(relation: Relation) -> str:
    """The director of what "was directed by" someone; empty where the phrase has no such noun."""
    words = relation.phrase.split()
    return _AGENTS.get(words[-2], "") if len(words) > 1 and words[-1] == "by" else ""


def _kind(relation: Relation, pages: Mapping[str, Page]) -> str:
    if agent := agent_noun(relation):
        return agent
    page = pages.get(relation.answer_page)
    return page.noun if page and page.noun else {"who": "person", "where": "place"}.get(relation.asks, "one")


def _describe(relation: Relation, subject: str, pages: Mapping[str, Page]) -> str:
    kind = _kind(relation, pages)
    if agent_noun(relation):
        return f"the {kind} of {subject}"
    if relation.cloze:
        return f"the {kind} that is missing in this sentence about {subject}: “{relation.phrase.rstrip('.')}”"
    return f"the {kind} that {subject} {relation.phrase}"


def _ask(relation: Relation, subject: str) -> str:
    if relation.cloze:
        what = CLOZES[relation.asks]
        return f"Which {what} is missing in this sentence about {subject}: “{relation.phrase.rstrip('.')}”?"
    if relation.asks == "value":
        is_of_subject = relation.phrase.startswith("the ") and not relation.row
        return f"What is {relation.phrase} {'of' if is_of_subject else 'in'} {subject}?"
    asks = {"who": "Who", "where": "Where", "when": "When", "what": "What"}[relation.asks]
    verb, *others = relation.phrase.split()
    if relation.asks in ("where", "when"):
        others = others[:-1]
    elif verb in BE and others[0] in ("a", "an", "the"):
        whom = "whom" if relation.asks == "who" else "what"
        return f"{subject[0].upper()}{subject[1:]} {relation.phrase} {whom}?"
    elif verb in ("was", "were") and others[-1] == "by" and all(map(is_participle, {*others[:-1]} - {"and"})):
        return f"{asks} {' '.join(_PAST.get(word, word) for word in others[:-1])} {subject}?"
    rest = " ".join(others)
    if verb in BE:
        return f"{asks} {verb} {subject} {rest}?"
    do = "does" if verb.endswith("s") else "did"
    return f"{' '.join((asks, do, subject, base(verb), rest)).rstrip()}?"


def _answers(last: Relation, pages: Mapping[str, Page]) -> tuple[str, ...]:
    spellings = [last.answer]
    if last.answer_page:
        spellings += [pages[last.answer_page].name, pages[last.answer_page].title]
    return tuple(dict.fromkeys(spellings))


def _sound(text: str, walk: Sequence[Relation], answers: Sequence[str]) -> bool:
    """Supported by the last sentence, not given by the question, and not one of the names on the way."""
    asked = f" {normalize_answer(text)} "
    names = [normalize_answer(name) for relation in walk for name in (relation.subject, relation.answer)][:-1]
    plain = [normalize_answer(answer) for answer in answers]
    return (
        all(plain)
        and all(relation.answer in relation.text for relation in walk)
        and not any(f" {answer} " in asked for answer in plain)
        and not set(plain) & set(names)
        and len(text) <= 600
    )


def _evenly(by_hops: Mapping[int, Sequence[Synthetic]], count: int) -> list[Synthetic]:
    """In turn one of each length, without a question twice, or a fact (of a row, a value) that ends more than one."""
    chosen: list[Synthetic] = []
    texts: set[str] = set()
    ends: Counter[str] = Counter()
    queues = {hops: iter(questions) for hops, questions in by_hops.items()}
    while queues and len(chosen) < count:
        for hops in list(queues):
            for question in queues[hops]:
                last = question.walk[-1]
                end = f"{hops} {last.fact} {last.phrase if last.asks == 'value' else ''}"
                if question.question not in texts and not ends[end]:
                    texts.add(question.question)
                    ends[end] += 1
                    chosen.append(question)
                    break
            else:
                del queues[hops]
            if len(chosen) == count:
                break
    return chosen


def reworded(question: Synthetic, reword: Callable[[str], str]) -> Synthetic:
    """The question in other words, where those keep the start and do not tell the answer; else as it is."""
    text = " ".join(reword(question.question).split())
    start = normalize_answer(question.walk[0].subject)
    keeps = start in normalize_answer(text) and GAP not in text.replace("“", "")
    if text != question.question and keeps and _sound(text, question.walk, question.answers):
        return replace(question, question=text)
    return question


def _query(relation: Relation) -> str:
    """What to look up for a relation: its subject, and the words of the phrase."""
    phrase = relation.phrase.replace(GAP, " ") if relation.cloze else relation.phrase
    words = " ".join(phrase.split())
    return words if relation.cloze and relation.subject in words else f"{relation.subject} {words}"
