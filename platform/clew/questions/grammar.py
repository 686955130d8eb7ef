"""A question as a plan of hops, by the grammar of its words alone.

Where the grammar is not sure, a question stays whole: a wrong hop costs an answer that the whole question would find.
"""

from __future__ import annotations

import re

from clew.questions.anchors import mask
from clew.questions.options import compared
from clew.questions.plan import Expected, Hop, Kind, Plan
from clew.questions.reduce import Draft, finish, reduce
from clew.questions.words import AUXILIARIES, BE, PREPOSITIONS, QUESTION_WORDS, is_participle, noun_class, singular
from clew.text.language import language_of
from clew.text.names import FUNCTION_WORDS
from clew.text.scripts import is_caseless
from clew.text.verbs import PAST

LONGEST_QUESTION = 600  # characters: a longer one is a text, whose sentences are no hops
_MARKS = " ?.!؟？;；。¿"
_ENGLISH_OPENINGS = QUESTION_WORDS | AUXILIARIES - {"was"}  # German asks with *was*, too

_NUMBER = r"how (?:many|much|long|old|tall|high|far|deep|wide|big|large|heavy|fast|often|hot|cold)\b"
_KINDS: tuple[tuple[Kind, str], ...] = (
    ("summary", r"summari[sz]e|give (?:me )?(?:an?|the) (?:summary|overview)|what (?:is|are) .* about$|tell me about"),
    ("count", r"how many\b"),
    ("value", _NUMBER),
    ("reason", r"why\b"),
    ("manner", r"how (?:do|does|did|can|could|should|would|is|are|was|were|to|has|have)\b"),
    ("yes/no", rf"(?:{'|'.join(AUXILIARIES)}) "),
    ("definition", r"(?:who|what) (?:is|are|was|were) (?:the )?(?:[\w-]+ )?\{\d+\}(?: [a-z]+)?$"),
    ("definition", r"what does .* mean$|define |what (?:is|are) (?!the )(?:an? )?[a-z-]+(?: [a-z-]+)?$"),
    ("list", r"(?:list|name) (?:all |the |every )|(?:who|what) (?:are|were) "),
    ("list", r"(?:which|what) (?:\w+ )?[a-z]+[^\Wsui]s (?:are|were|have|had|has|do|does|did|can|will|must|should)\b"),
    ("list", r"which (?!was|has|does)(?:\w+ )?(?:[a-z]+[^\Wsui]s|people|children) [a-z]+\b"),
)
_WH = re.compile(r"(?i)\b(?P<wh>who|whom|whose|where|when|why|which|what|how many|how much|how)\b(?P<rest>.*)")
_SORTS: dict[str, Expected] = {
    "who": "person", "whom": "person", "whose": "person", "where": "place", "when": "date", "why": "reason",
    "how many": "number", "how much": "number",
}  # fmt: skip


def plan(question: str) -> Plan:
    """The hops of a question, its kind, and what it compares.

    Takes time in proportion to the question's length, and never fails.
    """
    text = " ".join(question.split()).strip()
    if not text or len(text) > LONGEST_QUESTION or "{" in text or "}" in text:
        return Plan(question, (), (Hop(re.sub(r"[{} ?]+\Z|[{}]", "", text), 0),))
    if is_foreign(text):
        bare = text.strip(_MARKS)
        masked, anchors = mask(bare[:1].lower() + bare[1:])
        return Plan(question, anchors, (Hop(masked, len(anchors)),), "foreign")
    text = re.sub(r"\s+(['’]s\b)", r"\1", text)
    text = re.sub(r"(?i)^(wh(?:at|o|ere|en)|how)['’]s\b", r"\1 is", text)
    masked, anchors = mask(text.rstrip(" ?.!") or text)
    masked = re.sub(r"\bthe names? of (?=the |an? |\{)", "", masked)
    draft = Draft(masked, len(anchors))
    if comparison := compared(draft):
        return Plan(question, anchors, tuple(draft.hops), "yes/no" if comparison.asked else "comparison", comparison)
    draft = Draft(masked, len(anchors))
    kind, (expects, head) = kind_of(masked), expected(masked)
    if kind not in ("summary", "definition"):
        reduce(draft)
        finish(draft, expects, head)
    if len(draft.hops) < 2:
        draft = Draft(masked, len(anchors))
        draft.add(masked, expects, head)
    return Plan(question, anchors, tuple(draft.hops), kind)


def is_foreign(question: str) -> bool:
    """Whether a question is in another language than English, by its script or its small words.

    Words that stand inside names, as in "Place de la Concorde", tell that of a question with its mark alone.
    """
    if is_caseless(question):
        return True
    words = re.findall(r"[^\W\d_]+", question)
    if not words or words[0].lower() in _ENGLISH_OPENINGS:
        return False
    language = language_of(question, FUNCTION_WORDS)
    if language is None or question.endswith(("?", ";")):
        return language is not None
    return len((language.words - language.joining - language.surname).intersection(words)) > 1


def kind_of(text: str) -> Kind:
    """The kind of answer that a question wants, by the words that it begins with."""
    return next((kind for kind, pattern in _KINDS if re.match(pattern, text, re.IGNORECASE)), "value")


def expected(text: str) -> tuple[Expected, str]:
    """What sort of value a question asks for, and the noun that it is one of."""
    if text.split(" ", 1)[0].lower() in AUXILIARIES:
        return "yes/no", ""
    match = _WH.search(text)
    if match is None:
        return "any", ""
    wh = match["wh"].lower()
    if wh in _SORTS:
        return _SORTS[wh], ""
    if wh == "how":
        return "number" if re.match(_NUMBER, match.group(), re.IGNORECASE) else "manner", ""
    nouns = _nouns(match["rest"].split())
    heads = [noun for noun in nouns if noun.islower() and noun_class(noun) != "any"]
    head = (heads[:1] or nouns[-1:] or [""])[0].lower()
    return noun_class(head), singular(head)


def _nouns(words: list[str]) -> list[str]:
    """The nouns behind "which" or "what", as far as they reach: to the verb or a small word."""
    if words and words[0].lower() in BE:
        words = [word for word in words[1:] if word.lower() not in ("the", "a", "an")]
    nouns: list[str] = []
    for word in words:
        is_verb = nouns and (is_participle(word) or word in PAST)
        if is_verb or word in FUNCTION_WORDS | AUXILIARIES | PREPOSITIONS or not re.fullmatch(r"[\w'’-]+", word):
            break
        nouns.append(word)
        if singular(word) != word.lower():
            break  # behind a plural comes its verb
    return nouns
