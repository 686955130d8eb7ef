"""Answers where a question names nothing: "When does the lease end?" asks of what a document is about anyway.

The question is split into what it is about (*the lease*) and what is asked of that (*end*). A sentence must speak of
the first, by its own words, its heading or the sentence before; a candidate must stand close to the second. Where no
sentence has the second at all, nothing is believed, however much else fits.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from functools import lru_cache

from clew.agent.extractive.agents import does_so
from clew.agent.extractive.answer_types import CLOSED, MEASURED
from clew.agent.extractive.between import acts_itself, counts, holds_record, identified, left
from clew.agent.extractive.candidates import Candidate
from clew.agent.extractive.casting import TOLD_ROLE, named_after, plays, role_alone
from clew.agent.extractive.cues import by_others, only_described
from clew.agent.extractive.evidence import Evidence, Page, Sentence, stems
from clew.agent.extractive.fit import head_fit, is_name, type_fit, unit_wanted
from clew.agent.extractive.lexicon import head_types, in_lower, own_words, stem
from clew.agent.extractive.noun_phrases import echoed
from clew.agent.extractive.plan import Hop
from clew.agent.extractive.synonyms import covered as said
from clew.agent.extractive.synonyms import in_other_words
from clew.agent.extractive.word_classes import AUXILIARY, PREPOSITION, QUESTION, verbs
from clew.text.names import FUNCTION_WORDS

WEIGHTS = {
    "topic": 3.0,
    "predicate": 2.5,
    "type": 1.5,
    "head": 1.0,
    "rank": 0.8,
    "beside": 2.4,
    "unasked": -5.0,
    "absent": -8.0,
    "nested": -1.5,
    "held": 2.0,
    "plays": 3.0,
    "record": 1.0,
    "echo": -1.5,
}
"""What each feature is worth; features lie in −1 … 1."""

SPOKEN_OF = 0.3
"""Share of what a question is about that a sentence must speak of."""

UNLIKELY = -0.7
"""Fit to the type sought below which a candidate is left out."""

ADJACENT = 0.9
"""Closeness to the topic from which a parenthesis belongs to it: "a talk (10 %)"."""
LISTED = 1.0
"""Fit of what is on the list of the type sought."""
A_NAME = 0.3
"""Fit of a name that may be a person's: a first name that is on a list makes nobody likelier than one that is not."""

UNCOVERED = 0.7
"""How far a relation's own cue counts where the sentence has no word of what is asked: sold in a town, not kept."""
FIELD = 0.5
"""How far a field of a document ("Estimated value: …") speaks of what the document does."""
_LABEL = re.compile(r"(?:\d+\. )?([^\W\d_][^.:;]{0,40}): ")

_HELD = re.compile(
    r"\b(?:takes? place|(?:is|are|be|was|were)(?: held| due)?|held|due|falls?|starts?|begins?) (?:on |in |at )?$"
)
_FOR = re.compile(r" for (?:(?:the|an?|your|his|her|their) )?([a-z]+)\b")
"""What an amount is for: "640 pounds for the carpet"."""
_WHEN_IS = re.compile(r"[Ww]hen (?:is|are|was|were) ")
_WITHIN = re.compile(r"\b(?:in|at) (?:the )?$")
_COPULA = frozenset("is are was were".split())
_EMPTY = frozenset("have has had do does did be been get take takes took many much long often name".split())
_ORDER = frozenset("next last first previous".split())
_PRONOUN = re.compile(r"(?:It|He|She|They|Its|His|Her|Their|This|These|The work|Both)\b")
_BOUNDARY = re.compile(r"[,;:]|\b(?:and|but|while|which|who)\b")


@dataclass(frozen=True, slots=True)
class Asked:
    """A question's stems: ``topic`` says what it is about, ``predicate`` what is asked of it; ``role`` for *who is*."""

    topic: frozenset[str]
    predicate: frozenset[str]
    role: bool = False
    unit: re.Pattern[str] | None = None


@lru_cache(maxsize=1024)
def asked(question: str) -> Asked:
    """What a question without names is about, and what it asks of that."""
    words = re.findall(r"[^\W_]+(?:[-’'](?!s\b)[^\W_]+)*|['’]s\b", question.lower())
    at = next((i for i, word in enumerate(words) if word in QUESTION), -1)
    how = words[at + 1] if at >= 0 and words[at] == "how" and at + 1 < len(words) else ""
    rest = words[at + (2 if how else 1) :]
    verb = next((i for i, word in enumerate(rest) if word in AUXILIARY), len(rest))
    head = rest[:verb] if verb < len(rest) and (at < 0 or words[at] not in ("who", "whom")) else []
    role = False
    if (not head and verb == len(rest)) or (verb and not head):
        predicate, topic = _verb_first(rest)
    else:
        predicate, topic, role = _inverted(rest[verb:], head)
    if how and how not in MEASURED and verb == 0 and rest[0] in _COPULA:  # "how loud is the pump"
        predicate, topic = [how], [*topic, *predicate]
    unit = unit_wanted(question.lower())
    subject, told = _stems(topic), _stems(predicate)
    if not told:
        subject, told = frozenset(), subject
    return Asked(subject, told, role and words[at] in ("who", "whom"), unit)


def _verb_first(rest: list[str]) -> tuple[list[str], list[str]]:
    """``maintains the roof``, ``company dredges the basin``: the verb is last before an article or preposition."""
    end = next((i for i, word in enumerate(rest) if i and (word in PREPOSITION or word in FUNCTION_WORDS)), len(rest))
    return rest[max(0, end - 1) : end], rest[end:]


def _inverted(rest: list[str], head: list[str]) -> tuple[list[str], list[str], bool]:
    """``does the lease end``, ``is the next meeting``, ``is the landlord's lawyer``, ``was elected treasurer``."""
    auxiliary, body = rest[0], [w for w in rest[1:] if w not in AUXILIARY]
    content = [w for w in body if (w in _ORDER or w not in FUNCTION_WORDS) and w != "place"]
    if not content:
        return head, [], False
    last = content[-1]
    if last == "take" and "place" in body:
        return content[:-1], [], False
    verbal = auxiliary not in _COPULA or last in verbs() or last.endswith("ed")
    if verbal and len(content) > 1 and last not in _EMPTY:
        return [last], content[:-1], False
    if head and (auxiliary in _COPULA or last in _EMPTY):
        return head, content, False
    for mark in ("'s", "’s"):
        if mark in body:
            return body[body.index(mark) + 1 :], body[: body.index(mark)], True
    at = next((i for i, w in enumerate(body) if w in PREPOSITION and i), len(body))
    return body[:at], body[at:], True


def _stems(words: list[str]) -> frozenset[str]:
    parts = [part for word in words for part in word.split("-")]
    kept = [w for w in parts if (w in _ORDER or w not in FUNCTION_WORDS) and w not in _EMPTY and w not in ("'s", "’s")]
    return frozenset(map(stem, kept))


def read(hop: Hop, sentence: Sentence, c: Candidate, evidence: Evidence) -> dict[str, float]:
    """The features of a candidate for a hop that has no subject; empty where it cannot be the answer."""
    question = asked(hop.template)
    target = evidence.page(c.text)
    fit = type_fit("agent" if hop.expects == "person" else hop.expects, c, sentence, target)
    if hop.expects == "person":
        fit = min(fit, A_NAME)
    if hop.expects == "place" and "from" not in hop.template.lower().split() and left(sentence.text, c):
        return {}
    if acts_itself(sentence.text, c, hop.template):
        return {}
    if hop.template[:3].lower() == "who" and _WITHIN.search(sentence.text, 0, c.start):
        return {}
    page = evidence.page_of(sentence)
    topic = _topic(question, sentence, page)
    if topic < SPOKEN_OF or (c.end == 0 and c.kind == "name" and not is_name(c.text)):
        return {}
    if c.end == 0 and (
        stems(c.text) & question.topic or (hop.expects in ("person", "agent") and " by " in sentence.text)
    ):
        return {}  # what the page is about, as the question is, or somebody whom the sentence does not name
    if fit < UNLIKELY or _stems(re.findall(r"\w+", c.text.lower())) <= question.topic | question.predicate:
        return {}
    predicate = 1.0 if c.role == "complement" else _predicate(question, hop, sentence, c, fit)
    if (hop.head and _is_only(hop.head, sentence.text, c)) or identified(sentence.text, c, hop.template) > 0:
        predicate = 1.0
    if hop.expects in ("person", "agent") and c.kind == "name":
        predicate = max(predicate, does_so(hop.template, sentence.text, c))
    features = {"topic": topic, "predicate": predicate, "type": fit}
    if hop.head in head_types() and hop.expects != "person":
        features["head"] = head_fit(hop.head, c, sentence, target)
    if hop.expects in ("person", "agent") and (role := role_alone(hop.template)):
        features["plays"] = plays(sentence.text, c, role, named_after(sentence.title, role))
    if hop.expects in ("person", "agent") and c.kind == "name" and holds_record(sentence.text, c, hop.template.lower()):
        features["record"] = 1.0
        features["predicate"] = predicate = 1.0
    features["nested"] = float(c.inside)
    if c.nameless:
        features["echo"] = echoed(c.text, question.topic | question.predicate)
    features["beside"] = _beside(question.topic, sentence.text, c)
    if question.topic and question.role:  # of another club, say
        features["absent"] = len(question.topic - page.stems) / len(question.topic)
    if hop.expects == "date" and _WHEN_IS.match(hop.template):
        features["held"] = float(_HELD.search(sentence.text, 0, c.start) is not None)
    if features["beside"] >= ADJACENT and sentence.text[c.start - 2 : c.start] == " (" and _said(question, sentence):
        predicate = features["predicate"] = max(predicate, features["beside"])
    if predicate < 0.05 and features.get("plays", 0.0) < TOLD_ROLE:
        features |= {"unasked": 1.0, "uncued": 0.0}
    return features


def _is_only(head: str, text: str, c: Candidate) -> bool:
    """Whether a candidate is said to be the only or the first such thing of which the rest is true: "X is the only mill
    that …"."""
    told = _ONLY.match(text, c.end)
    return told is not None and stem(head) in stems(told.group(1))


_STRANDED = re.compile(r" (?:of|from|for|with)\W*$")
_ONLY = re.compile(
    r" (?:is|was|became|are|were) (?:also )?the (?:only|first|last)\b([^,.;]{0,60}?) (?:that|who|which|to)\b"
)


def _said(question: Asked, sentence: Sentence) -> bool:
    return not question.predicate.isdisjoint(sentence.stems)


def points(features: dict[str, float]) -> float:
    """The weighted sum of the features that ``read`` gives, but for ``rank``, which changes with every query."""
    return sum(WEIGHTS.get(name, 0.0) * value for name, value in features.items())


def _topic(question: Asked, sentence: Sentence, page: Page) -> float:
    """How much of what the question is about a sentence speaks of, less where only its surroundings do."""
    if not question.topic:
        return 1.0
    label = _LABEL.match(sentence.text)
    field = label is not None and question.predicate <= stems(label.group(1))
    own, heading = said(question.topic, stems(sentence.text)), said(question.topic, stems(sentence.heading))
    title, before = stems(sentence.title), stems(sentence.previous)
    follows = 0.6 if _PRONOUN.match(sentence.text) else 0.25
    return sum(
        max(
            own.get(s, 0.0),
            0.9 * heading.get(s, 0.0),
            0.6 * (s in title),
            follows * (s in before),
            FIELD * (field and s in page.stems),
        )
        for s in question.topic
    ) / len(question.topic)


def _predicate(question: Asked, hop: Hop, sentence: Sentence, c: Candidate, fit: float) -> float:
    """How close the candidate stands to what is asked; a unit of money or time may say it instead of a word."""
    text = sentence.text
    if question.role and has_role(question.predicate, text, c):
        return 1.0
    if hop.expects in CLOSED and fit >= LISTED:
        return 1.0  # "round and yellow": that it is a colour nothing else needs to say
    if question.predicate and question.predicate <= stems(c.text):
        return 1.0  # "which lighthouse was lit in 1881": its name says that it is one
    cue = own_words(question.predicate, hop.expects)
    # A preposition of its own gives a verb another sense: what is "made of" oak nobody has built of it.
    other = None if _STRANDED.search(hop.template) else in_other_words(question.predicate, hop.expects)
    relations = (cue, other, hop.relation)
    patterns = [relation.direct for relation in relations if relation and relation.direct]
    close = max(
        (
            _closeness(text, m.start(), m.end(), c)
            for p in patterns
            for m in p.finditer(in_lower(text))
            if not by_others(in_lower(text), m)
        ),
        default=0.0,
    )
    if hop.expects == "number" and (paid := _FOR.match(text, c.end)) and stem(paid.group(1)) in question.predicate:
        return 1.0
    if hop.expects == "number" and hop.head and counts(text, c, hop.head):
        return 1.0
    if question.unit is not None and hop.expects == "number":
        close = max(close, 0.4) if question.unit.search(c.text) else close - 0.6
    if question.predicate and cue and cue.direct and cue.direct.search(sentence.heading.lower()):
        close = max(close, 0.4)
    told = said(question.predicate, stems(f"{text} {sentence.heading}"))
    covered = sum(told.values()) / max(1, len(question.predicate))
    scale = max(UNCOVERED, covered) if (hop.relation or question.unit) and question.topic else covered**2
    return (0.5 if question.role and hop.expects == "person" else 1.0) * close * scale


_CALLED = re.compile(
    r"\s?\((?:the |an? )?([a-z\- ]+)\)|,? (?:(?:is|was|as|the|an?|elected|appointed|"
    r"named|declared|crowned|became|made|chosen|first|new|current) )+([a-z\-]+)"
)
_SERVED = re.compile(
    r"(?: \([^()]*\))*,? (?:(?:is|was) (?:an? )(?:[\w-]+ ){1,5}(?:and [\w-]+ )?)?"
    r"who (?:is|was|has been|had been|serve[sd]|became) "
    r"(?:(?:as|the|an?|only|first|last|sole|current) )*([a-z\-]+)"
)
"""An office that a definition tells: "Ada Finch (1901–70) was a Norland politician who served as president"."""
_DEFINED = re.compile(r"[^()]{0,80}\([\"“](?:the |an? )?([a-z\- ]+)[\"”]\)")
"""The part that a contract gives to whom its sentence begins with: "Calder Ltd, Tarn End ("the Landlord")"."""


def has_role(predicate: frozenset[str], text: str, c: Candidate) -> bool:
    """Whether the text calls the candidate so: "Name (the tenant)", "the surveyor, Name", "Name was elected …"."""
    before, after = text[: c.start].lower(), text[c.end :].lower()
    match = _CALLED.match(after) or _SERVED.match(after) or (_DEFINED.match(after) if c.start == 0 else None)
    named = [group for group in match.groups() if group] if match else []
    led = re.search(r"((?:[a-z\-]+ ){0,2}[a-z\-]+)(?:,| is| was)(?: the| an?)? (?:the )?$", before)
    named += [led.group(1)] if led else []
    return any(predicate <= stems(words) for words in named)


def _beside(topic: frozenset[str], text: str, c: Candidate) -> float:
    """How close the words of the topic stand, on average."""
    if not topic:
        return 0.0
    best = dict.fromkeys(topic, 0.0)
    for match in re.finditer(r"[^\W_]+", text):
        if (s := stem(match.group())) in best:
            best[s] = max(best[s], _closeness(text, match.start(), match.end(), c))
    return sum(best.values()) / len(best)


def _closeness(text: str, start: int, end: int, c: Candidate) -> float:
    """1 next to the candidate, less with the words and the clause boundaries in between."""
    if c.start <= start < c.end:
        return 0.0
    if text.startswith(": ", end):  # a label, which speaks of its own field alone
        if c.start < end or ";" in text[end : c.start]:
            return 0.0
        end += len(": ")
    between = text[end : c.start] if end <= c.start else text[c.end : start]
    if end <= c.start and only_described(between):
        return 1.0  # "performed by | the northern singer X"
    after = 0.8 if start > c.start else 1.0
    return after * math.exp(-len(re.findall(r"\w+", between)) / 6) * 0.6 ** len(_BOUNDARY.findall(between))
