"""Citations: the spans of documents that an answer rests on, in the order in which the agent came upon them.

Three kinds of facts are cited: those that a thought names by number; the one that states the answer; and, for every
earlier hop, the one that led to the next query. The quotes are read from the documents, never from the facts, so that
``document.text[start:end] == quote`` holds whatever a strategy or a model wrote.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from clew.agent.episode import MARKER, numbered
from clew.agent.protocol import Dialect
from clew.text.names import FUNCTION_WORDS, capitalised_spans
from clew.text.normalise import fold
from clew.text.values import written_in
from clew.types import Citation, Fact, Passage, Step, Support

MAX_CITATIONS = 8
NOT_SHOWN = 1_000_000

Spans = Callable[[list[tuple[str, int, int]]], list[str]]
"""Reads spans (document id, start, end) of stored documents, in order; an empty text where there is none."""

_LONG_ANSWER = 8
# Scripts that write no words apart: Thai and Lao, Burmese, Khmer, Kana, Han.
_UNSPACED = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3040-\u31ff\u3400-\u9fff\U00020000-\U0003ffff]"
)
# Scripts that write particles, articles and prepositions onto the word: Hebrew, Arabic, Hangul.
_AFFIXING = re.compile("[\u0590-\u06ff\u0750-\u077f\u0870-\u08ff\uac00-\ud7a3]")
LISTED = re.compile(r"^\s*(?:\d{1,3}[.)]|[-*•])\s+", re.MULTILINE)
"""The marks of a list that an answer is written as."""
_OPINION = re.compile(r"\s*(?P<said>yes|no)\s*(?:[,.;:!–—-]+\s*(?P<rest>.*))?", re.IGNORECASE | re.DOTALL)
_DENIES = re.compile(r"\b(?:not|never|neither|nor|without|cannot)\b|n[’']t\b", re.IGNORECASE)
_SENTENCE = re.compile(r"\S.*?(?:[.!?…。！？][\"'”’»)\]]*(?=\s|$)|(?=\n)|$)", re.DOTALL | re.MULTILINE)


@dataclass(frozen=True, slots=True)
class _Candidate:
    """A span that may be cited: from which hop, under which number, and its words with those of its fact."""

    hop: int
    number: int
    entities: tuple[str, ...]
    citation: Citation
    folded: str
    words: frozenset[str]


def cite(question: str, steps: Sequence[Step], answer: str, *, spans: Spans, dialect: Dialect) -> tuple[Citation, ...]:
    """Choose the spans that support ``answer``, at most ``MAX_CITATIONS``, each once, hop by hop.

    ``spans`` is called once at most. An answer that nothing retrieved states, and no thought refers to, gets none.
    """
    candidates = _candidates(steps, spans, dialect)
    if not candidates or not fold(answer).strip():
        return ()
    best = _ranked_by(_weights(candidates))
    queries = [step.query for step in steps if step.query]
    named = _named(candidates, steps, f"{answer} {question} {' '.join(queries)}", best)
    stating = _stating(candidates, steps, question, answer, f"{queries[-1] if queries else ''} {question}", named, best)
    chosen = [*named, *stating]
    if not any(chosen):
        return ()
    cited_hops = {c.hop for c in chosen if c}
    for hop, query, following in _hops(steps):
        if hop not in cited_hops:
            links = [c for c in candidates if c.hop == hop and _links(c, question, following)]
            chosen.append(best(links, f"{query} {following}"))
    return tuple(marked(citation, [answer]) for citation in _in_order(c for c in chosen if c))


_Best = Callable[[Iterable[_Candidate], str], _Candidate | None]
"""The candidate that shares the rarest words with a text; the earlier number where they are equal."""


def _ranked_by(weight: Mapping[str, float]) -> _Best:
    def best(among: Iterable[_Candidate], context: str) -> _Candidate | None:
        words = set(fold(context).split())
        ranked = [(sum(weight[w] for w in c.words & words), -c.number, c) for c in among]
        score, _, winner = max(ranked, key=lambda r: r[:2], default=(0.0, 0, None))
        return winner if score > 0 else None

    return best


def _named(
    candidates: Sequence[_Candidate], steps: Sequence[Step], context: str, best: _Best
) -> list[_Candidate | None]:
    """The spans of the facts that thoughts and the answer name by number."""
    chosen: list[_Candidate | None] = []
    for hop, number in _references(steps):
        named = [c for c in candidates if c.number == number and c.hop < hop]
        chosen.append(best(named, context) or next(iter(named), None))
    return chosen


def _stating(
    candidates: Sequence[_Candidate], steps: Sequence[Step], question: str, answer: str, context: str,
    named: Sequence[_Candidate | None], best: _Best,
) -> list[_Candidate | None]:  # fmt: skip
    """The span that states the answer, where none of ``named`` does; for a comparison the best one of each hop."""
    opinion, rest = opinion_of(answer)
    if because := _supporting(candidates, question, rest, "", context, best) if rest else None:
        return [because]
    longer = _longer_name(question, answer)
    if _compares(question, opinion or answer, longer):
        hops = [(hop, step.query) for hop, step in enumerate(steps) if step.query]
        return [best((c for c in candidates if c.hop == hop), query) for hop, query in hops]
    if any(c and _states(c, answer) == 2 for c in named):
        return []
    return [_supporting(candidates, question, answer, longer, context, best)]


def quoted(support: Sequence[Support], spans: Spans) -> tuple[Citation, ...]:
    """The citations of spans that a policy or judge names, each once, in their order, read from the documents."""
    wanted = list(dict.fromkeys((one.document, one.start, one.end) for one in support))[:MAX_CITATIONS]
    named = {(one.document, one.start, one.end): one for one in reversed(support)}
    cited = (
        (Citation(*place[:1], named[place].title, *place[1:], quote, named[place].page), named[place].values)
        for place, quote in zip(wanted, spans(wanted), strict=True)
        if quote
    )
    return tuple(marked(citation, values) for citation, values in cited)


def marked(citation: Citation, values: Iterable[str]) -> Citation:
    """The citation with the spans of those values that stand in it, each at its first place."""
    found: list[tuple[int, int]] = []
    for value in filter(str.strip, values):
        words = r"\s+".join(map(re.escape, value.split()))
        if match := re.search(rf"(?<!\w){words}(?!\w)", citation.quote):
            start, end = (citation.start + at for at in match.span())
            if all(end <= a or b <= start for a, b in found):
                found.append((start, end))
    return replace(citation, spans=tuple(sorted(found)))


def _candidates(steps: Sequence[Step], spans: Spans, dialect: Dialect) -> list[_Candidate]:
    """Every fact by its first source, every passage sentence by sentence, with the documents' own text.

    Passages that the dialect does not show have numbers that no marker names; a policy may have read them all the same.
    """
    shown: list[tuple[int, int, Fact | Passage, str, str, int, int, int | None]] = []
    for hop, (step, evidence) in enumerate(zip(steps, numbered(steps, dialect), strict=True)):
        if not step.query:
            continue
        for number, item in evidence.items():
            if isinstance(item, Passage):
                shown.append((hop, number, item, item.document, item.title, item.start, item.end, item.page))
            elif item.sources:
                s = item.sources[0]
                shown.append((hop, number, item, s.document, s.title, s.start, s.end, s.page))
        for passage in step.passages:
            if passage not in evidence.values():
                p = passage
                shown.append((hop, NOT_SHOWN, p, p.document, p.title, p.start, p.end, p.page))
    wanted = list(dict.fromkeys(row[3:4] + row[5:7] for row in shown))
    texts = dict(zip(wanted, spans(wanted), strict=True)) if wanted else {}
    candidates = []
    for hop, number, item, document, title, start, end, page in shown:
        text = texts[document, start, end]
        pieces = sentence_spans(text) if isinstance(item, Passage) else [(0, len(text))]
        for a, b in pieces:
            if quote := text[a:b]:
                about = quote if isinstance(item, Passage) else f"{item.text} {quote}"
                entities = () if isinstance(item, Passage) else item.entities
                folded = fold(about)
                citation = Citation(document, title, start + a, start + b, quote, page)
                candidates.append(_Candidate(hop, number, entities, citation, folded, frozenset(folded.split())))
    return candidates


def sentence_spans(text: str) -> list[tuple[int, int]]:
    """Where sentences, or lines without an end, begin and end."""
    return [match.span() for match in _SENTENCE.finditer(text)]


def _weights(candidates: Sequence[_Candidate]) -> dict[str, float]:
    """Words that few candidates hold say more: the usual inverse document frequency."""
    counts = Counter(word for c in candidates for word in c.words)
    return {word: math.log(1 + len(candidates) / count) for word, count in counts.items()}


def _references(steps: Sequence[Step]) -> list[tuple[int, int]]:
    """The markers [n] of the thoughts and the answer, each with the turn that wrote it."""
    found: dict[tuple[int, int], None] = {}
    for turn, step in enumerate(steps):
        for marker in re.findall(MARKER, f"{step.thought} {step.raw}"):
            for first, last in re.findall(r"(\d{1,6})(?:\s*[–-]\s*(\d{1,6}))?", marker):
                for number in range(int(first), min(int(last or first), int(first) + MAX_CITATIONS) + 1):
                    found[turn, number] = None
    return list(found)


def _compares(question: str, answer: str, longer: str) -> bool:
    """Whether the answer is yes, no, or one of the options that the question names: no single fact states those."""
    folded = fold(answer)
    return folded.strip() in {"yes", "no", "true", "false"} or (not longer and _contains(fold(question), folded))


def _longer_name(question: str, answer: str) -> str:
    """The name of the question that the answer is only a part of, folded: *Luxembourg City* for Luxembourg, else empty.

    A question with *or* has options, which answers shorten: *Marsh* is one where it names Piet Marsh.
    """
    asked, folded = fold(question), fold(answer)
    names = [fold(part) for name in capitalised_spans(question) for part in re.split(r" (?:and|&) ", name)]
    if " or " in asked or folded in names:
        return ""
    return next((name for name in names if folded in name), "")


def _contains(text: str, part: str) -> bool:
    """Whole words, except where a script writes none apart (Chinese, Japanese, Thai …).

    Where it writes particles onto them (Korean, Arabic, Hebrew), the part may begin or end within a word, not both.
    """
    if _UNSPACED.search(part):
        return part.strip() in text
    if _AFFIXING.search(part):
        return part.rstrip() in text or part.lstrip() in text
    return part in text


def _states(candidate: _Candidate, answer: str) -> int:
    """2 where the answer stands there as it is, 1 where all its words do, else 0."""
    folded = fold(answer)
    if _contains(candidate.folded, folded):
        return 2
    words = set(folded.split())
    return int(len(words) > 1 and words <= candidate.words)


def opinion_of(answer: str) -> tuple[str, str]:
    """ "yes" or "no" where an answer is one or begins with one, and what it adds: "No, it was built by Ada."."""
    match = _OPINION.fullmatch(answer)
    return (match["said"].lower(), (match["rest"] or "").strip()) if match else ("", "")


def _says(question: str, answer: str) -> frozenset[str]:
    """The words of an answer that say something beyond the question; none of one that denies something."""
    words = set(fold(LISTED.sub("", answer)).split()) - FUNCTION_WORDS
    return frozenset() if _DENIES.search(answer) else frozenset(words - set(fold(question).split()))


def _supporting(
    candidates: Sequence[_Candidate], question: str, answer: str, longer: str, context: str, best: _Best
) -> _Candidate | None:
    """The span that states an answer: as it is, else by all its words, else by what it says beyond the question."""
    for level in (2, 1):
        if stating := [c for c in candidates if _states(c, answer) == level]:
            own = [c for c in stating if longer and fold(answer) in _without(c.folded, longer)]
            return _shown_first(own or stating, context, best)
    says = _says(question, answer)
    if stating := [c for c in candidates if (says and says <= c.words) or written_in(answer, c.citation.quote)]:
        return _shown_first(stating, f"{answer} {context}", best)
    words = set(fold(answer).split())
    if len(words) <= _LONG_ANSWER:
        return None
    return best((c for c in candidates if len(c.words & words) * 2 >= min(len(words), len(c.words))), answer)


def _shown_first(stating: Sequence[_Candidate], context: str, best: _Best) -> _Candidate:
    """The best of those that the policy was shown, else of all."""
    shown = [c for c in stating if c.number < NOT_SHOWN]
    return best(shown or stating, context) or stating[0]


def _without(text: str, name: str) -> str:
    """The folded ``text`` with a gap wherever ``name`` stood."""
    return re.sub(rf"(?<= ){re.escape(name.strip())}(?= )", "", text)


def _hops(steps: Sequence[Step]) -> list[tuple[int, str, str]]:
    """Each hop with its query and the query that followed it."""
    asked = [(hop, step.query) for hop, step in enumerate(steps) if step.query]
    return [(hop, query, following) for (hop, query), (_, following) in pairwise(asked)]


def _links(candidate: _Candidate, question: str, following: str) -> bool:
    """Whether the span names what the next query is about and the question did not: the bridge of this hop."""
    asked, known = fold(following), fold(question)
    if candidate.entities:
        names = (fold(entity) for entity in candidate.entities)
        return any(name.strip() and _contains(asked, name) and not _contains(known, name) for name in names)
    named = fold(" ".join(word for word in following.split() if not word.islower()))
    return bool(candidate.words & (set(named.split()) - set(known.split())))


def _in_order(chosen: Iterable[_Candidate]) -> tuple[Citation, ...]:
    """Drop spans that lie in one chosen before, keep the first ``MAX_CITATIONS``, and put them in reading order."""
    kept: list[_Candidate] = []
    for c in chosen:
        spans = ((k.citation.document, k.citation.start, k.citation.end) for k in kept)
        if not any(d == c.citation.document and s <= c.citation.start and c.citation.end <= e for d, s, e in spans):
            kept.append(c)
    return tuple(c.citation for c in sorted(kept[:MAX_CITATIONS], key=lambda c: (c.hop, c.number, c.citation.start)))
