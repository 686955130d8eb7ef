"""A question as a plan of hops, by the grammar of its words alone.

Where the grammar is not sure, a question stays whole: a wrong hop costs an answer that the whole question would find.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from clew.questions.anchors import mask
from clew.questions.options import compared
from clew.questions.plan import Expected, Hop, Kind, Plan
from clew.questions.reduce import Draft, finish, reduce
from clew.questions.words import AUXILIARIES, BE, PAST, PREPOSITIONS, is_participle, noun_class, singular
from clew.text.names import FUNCTION_WORDS

LONGEST_QUESTION = 600
"""Characters of a question that is taken apart, at most: a longer one is a text, whose sentences are no hops."""

_NAME_OF = re.compile(r"\bthe names? of (?=the |an? |\{)")
_SUMMARY = re.compile(
    r"(?i)summari[sz]e|give (?:me )?(?:an?|the) (?:summary|overview)|what (?:is|are) .* about$|tell me about"
)
_DEFINITION = re.compile(
    r"(?i)(?:who|what) (?:is|are|was|were) (?:the )?(?:[\w-]+ )?\{\d+\}(?: [a-z]+)?|what does .* mean|define .*|"
    r"what (?:is|are) (?!the )(?:an? )?[a-z-]+(?: [a-z-]+)?"
)
_MANNER = re.compile(r"(?i)how (?:do|does|did|can|could|should|would|is|are|was|were|to|has|have)\b")
_NUMBER = re.compile(r"(?i)how (?:many|much|long|old|tall|high|far|deep|wide|big|large|heavy|fast|often|hot|cold)\b")
_LIST = re.compile(
    r"(?i)(?:list|name) (?:all |the |every )|(?:which|what) (?:\w+ )?(?P<noun>[a-z]+s) (?:are|were|have|do|did)\b|"
    r"(?:who|what) (?:are|were) "
)
_WH = re.compile(r"(?i)\b(?P<wh>who|whom|whose|where|when|why|which|what|how many|how much|how)\b(?P<rest>.*)")
_SORTS: dict[str, Expected] = {
    **dict.fromkeys(("who", "whom", "whose"), "person"),
    **{"where": "place", "when": "date", "why": "reason", "how many": "number", "how much": "number"},
}  # type: ignore[dict-item]


def plan(question: str, names: Sequence[str] = ()) -> Plan:
    """The hops of a question, its kind, and what it compares; ``names`` are spellings known to be names.

    Takes time in proportion to the question's length, and never fails.
    """
    text = " ".join(question.split()).strip()
    if not text or len(text) > LONGEST_QUESTION or "{" in text or "}" in text:
        return Plan(question, (), (Hop(re.sub(r"[{} ?]+\Z|[{}]", "", text), 0),))
    text = re.sub(r"\s+(['’]s\b)", r"\1", text)
    text = re.sub(r"^(wh(?:at|o|ere|en)|how)['’]s\b", r"\1 is", text, flags=re.IGNORECASE)
    masked, anchors = mask(text.rstrip(" ?.!") or text, names)
    masked = _NAME_OF.sub("", masked)
    kind = kind_of(masked)
    comparing = Draft(masked, len(anchors))
    if comparison := compared(comparing):
        answers: Kind = "yes/no" if comparison.asked else "comparison"
        return Plan(question, anchors, tuple(comparing.hops), answers, comparison)
    draft = Draft(masked, len(anchors))
    expects, head = expected(masked)
    if kind not in ("summary", "definition"):
        reduce(draft)
        if draft.hops:
            finish(draft, expects, head)
    if len(draft.hops) < 2:
        draft = Draft(masked, len(anchors))
        draft.add(masked, expects, head)
    return Plan(question, anchors, tuple(draft.hops), kind)


def kind_of(text: str) -> Kind:
    """The kind of answer that a question wants, by the words that it begins with."""
    first = text.split(" ", 1)[0].lower()
    if _SUMMARY.match(text):
        return "summary"
    if _NUMBER.match(text):
        return "count" if text.lower().startswith("how many") else "value"
    if first == "why":
        return "reason"
    if _MANNER.match(text):
        return "manner"
    if first in AUXILIARIES:
        return "yes/no"
    if _DEFINITION.fullmatch(text):
        return "definition"
    listed = _LIST.match(text)
    return "list" if listed and (not listed["noun"] or singular(listed["noun"]) != listed["noun"]) else "value"


def expected(text: str) -> tuple[Expected, str]:
    """What sort of value a question asks for, and the noun that it is one of."""
    if text.split(" ", 1)[0].lower() in AUXILIARIES:
        return "yes/no", ""
    match = _WH.search(text)
    if match is None:
        return "any", ""
    wh, rest = match["wh"].lower(), match["rest"].split()
    if wh in _SORTS:
        return _SORTS[wh], ""
    if wh == "how":
        return ("number" if _NUMBER.match(match.group().strip()) else "manner"), ""
    if rest and rest[0].lower() in BE:
        rest = [word for word in rest[1:] if word.lower() not in ("the", "a", "an")]
    nouns = []
    for word in rest:
        if word in FUNCTION_WORDS | AUXILIARIES | PREPOSITIONS or not re.fullmatch(r"[\w'’-]+", word):
            break
        if nouns and (is_participle(word) or word in PAST):
            break
        nouns.append(word)
        if singular(word) != word.lower():
            break  # behind a plural comes its verb
    heads = [noun for noun in nouns if noun.islower() and noun_class(noun) != "any"]
    head = (heads[:1] or nouns[-1:] or [""])[0].lower()
    return noun_class(head) if head else "any", singular(head) if head else ""
