"""Values that sentences state in the words of the question: "The default port is 8443", "It was built by Nils Ek".

A question of the form "Who is the keeper of Alda?", "Where is the log?" or "Who built the tower?" is turned into the
sentence that answers it, and that is looked for. What it leaves open goes to the reader; what it finds is
probable, and no more: sentences have other ends than these forms know.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from clew.questions.words import PREPOSITIONS, is_participle
from clew.text.mentions import mentions_all
from clew.text.names import FUNCTION_WORDS, capitalised_spans, key
from clew.text.values import dates
from clew.text.verbs import base

_IS = re.compile(
    r"(?P<wh>who|what|where|which|when)\s+(?P<be>is|are|was|were)\s+(?P<what>[^?]{2,120}?)\s*\?*\Z",
    re.IGNORECASE,
)
_WHO_DID = re.compile(r"(?:who|which [a-z]+)\s+(?P<verb>[a-z]{3,20})\s+(?P<what>[^?]{2,120}?)\s*\?*\Z", re.IGNORECASE)
PRONOUNS = frozenset("he she it they him her them his its their this that these those there what who".split())
_ARTICLE = re.compile(r"(?:the|an?|its|his|her|their)\s+", re.IGNORECASE)
_OF = re.compile(r"\s+(?:of|for|at|in)\s+")
_BE = r"(?:is|are|was|were)(?:\s+(?:called|named|currently|now|still))?"
_NOT = re.compile(r"(?:not|no|never|nobody|none|neither|only|also|one of|n['’]t)\b", re.IGNORECASE)
_END = re.compile(
    r"[.;!?](?=\s|\Z)|[,:]\s|\s(?:and|but|or|who|which|that|since|because|while|when|where|until)\s|\s\(|\n"
)
_PLACED_IN = re.compile(r"^(?:in|at|on)\s+(?=\S)", re.IGNORECASE)
_PLACED = re.compile(r"(?:in|at|on|near|under|behind|beside|opposite|next to|by)\s", re.IGNORECASE)
_LEAD = re.compile(r"[\"“”'‘’*_\s]*")
_DONE = re.compile(r"[a-z]+(?:[tn]|ed) (?:in|by|on|at|from|to)\b")
"""What was done: "rebuilt in 1901"."""
_FURTHER = re.compile(r"\s(?P<particles>(?:[a-zà-ÿ'’]{1,3}\s){1,2})[^\W\d_a-zà-ÿ][\w'’-]*")
_FURTHEST_NAME = 40
"""Characters behind *by* in which the name of who did it begins: "by the engineer Nils Ek"."""
_MOST_WORDS = 12


def stated_value(question: str, names: Sequence[str], around: str, sentence: str) -> str:
    """The value that a sentence states for a question of one of these forms; empty where it states none.

    ``around`` is the title and heading of the sentence, which may name what it leaves out ("The weight is 14 kg").
    """
    if match := _IS.fullmatch(question.strip()):
        return _is_value(match["wh"].lower(), match["what"], names, around, sentence)
    if match := _WHO_DID.fullmatch(question.strip()):
        return _doer(match["verb"], match["what"], sentence)
    return ""


def _is_value(wh: str, what: str, names: Sequence[str], around: str, sentence: str) -> str:
    """V of "<what> is V", or for a person or thing of "V is <what>", "<what>, V, …" and "V, <what>, …"."""
    for noun in _shapes(what, names, around, sentence):
        said = rf"(?:\b(?:the|an?|its|his|her|their)\s+)?\b{noun}"
        aside = r"(?:\s*\([^()]{1,40}\))?"
        if match := re.search(rf"{said}{aside}\s+{_BE}\s+(?P<value>\S.*)", sentence, re.I | re.S):
            value = _clipped(match["value"])
            return _PLACED_IN.sub("", value) if _fits(wh, value) else ""
        forms = (
            rf"^(?:[^,;:]{{1,60}}[,;:]\s)?(?P<value>[^,;:]{{1,80}}?)\s+{_BE}\s+{said}\b(?!\s+(?:of|for)\s)",
            rf"{said},\s(?P<value>[^,;]{{2,60}}),\s",
            rf"(?:^|[,;:]\s)(?P<value>[^,;:]{{2,60}}),\s+{said}(?:[,.;]|$)",
        )
        values = [match["value"].strip() for form in forms if (match := re.search(form, sentence, re.I))]
        if wh in ("who", "what", "which") and (value := next(filter(_is_named, values), "")):
            return value
    return ""


def _shapes(what: str, names: Sequence[str], around: str, sentence: str) -> list[str]:
    """Patterns of what is asked for: as it stands, and without "of X" where X stands in the title or heading."""
    bare = _ARTICLE.sub("", what, count=1) if _ARTICLE.match(what) else what
    if len(bare.split()) > _MOST_WORDS or not set(key(bare).split()) - FUNCTION_WORDS:
        return []
    shapes = [_pattern(bare)]
    head, *rest = _OF.split(bare, maxsplit=1)
    if rest and head[:1].islower() and names and mentions_all(f"{around} {sentence}", names):
        shapes.append(_pattern(head))
    return shapes


def _pattern(words: str) -> str:
    """The words with any white space and article between them."""
    parts = [re.escape(word) for word in words.split() if word.lower() not in ("the", "a", "an")]
    return r"\s+(?:(?:the|an?)\s+)?".join(parts)


def _clipped(text: str) -> str:
    """The beginning of a clause up to where it ends; a number's own full stop and commas end nothing."""
    end = _END.search(text)
    return _LEAD.sub("", text[: end.start()] if end else text, count=1).strip(' ."”“*_')


def _fits(wh: str, value: str) -> bool:
    if not value or len(value.split()) > _MOST_WORDS or _NOT.match(value):
        return False
    if wh == "who":
        return _is_named(value)
    if wh == "where":
        return bool(_PLACED.match(value))
    if wh == "when":
        return bool(dates(value))
    first = value.split()[0].lower()
    return not (is_participle(first) or first.endswith("ing") or first in PREPOSITIONS or _DONE.match(value))


def _is_named(value: str) -> bool:
    """Whether a value begins as a name does ("Per", "An" are names, too), and is no pronoun or "In May"."""
    first = value.split()[0] if value else ""
    opens = PRONOUNS | PREPOSITIONS | frozenset({"the"} if len(value.split()) == 1 else ())
    return first[:1].isupper() and first.lower() not in opens and len(value.split()) <= _MOST_WORDS


def _doer(verb: str, what: str, sentence: str) -> str:
    """The name in "<what> was <verb> … by NAME"."""
    noun, asked = _pattern(_ARTICLE.sub("", what, count=1)), verb.lower()
    forms = {word for word in re.findall(r"[a-z]+", sentence.lower()) if word == asked or base(word) == base(asked)}
    for form in forms if noun else ():
        be = r"(?:was|were|is|are|has been|had been)\s+(?P<not>not\s|never\s)?"
        if match := re.search(rf"\b{noun}\s+{be}[^.;]{{0,40}}?\b{form}\b(?P<rest>[^.;]*)", sentence, re.I):
            by = re.search(r"\bby\s+(?P<who>\S.*)", sentence[match.start("rest") :])
            return "" if match["not"] or by is None else _first_name(by["who"])
    return ""


def _first_name(text: str) -> str:
    """The first name in a text, with the particles in it ("María del Carmen y Ruiz")."""
    first = next(iter(capitalised_spans(text)), "")
    at = text.find(first)
    if not first or at > _FURTHEST_NAME or first[0].isdigit():
        return ""
    end = at + len(first)
    while further := _FURTHER.match(text, end):
        if FUNCTION_WORDS & set(further["particles"].split()):
            break
        end = further.end()
    return text[at:end].rstrip(".")
