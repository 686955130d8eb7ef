"""A question as it is meant: without the courtesy around it, not shouted, and without the labels of forms."""

from __future__ import annotations

import re
from functools import cache

from clew.agent.extractive.lexicon import labels
from clew.agent.extractive.turned import turned
from clew.agent.extractive.word_classes import QUESTION
from clew.text.names import FUNCTION_WORDS

_COURTESY = re.compile(
    r"(?:(?:hi|hello|hey|please|so|well|okay|ok)\b[,!.:]?\s+)*"
    r"(?:(?:(?:can|could|would|will) you (?:please |kindly )?(?:tell|show|give|explain to) (?:me|us)|tell (?:me|us)"
    r"|do you (?:happen to )?know|i(?: would|['’]d) like to know|i(?: want| need) to know|i wonder|i am wondering"
    r"|i['’]m wondering)\b[,:]?\s+)?(?=(?:(?:in|on|at|from|to|of|for|by|with|under|during|since|until) )?"
    rf"(?:{'|'.join(sorted(QUESTION))})\b|(?:is|are|was|were|do|does|did|has|have|had)\b)",
    re.IGNORECASE,
)
"""What comes before a question, and the beginning of one after it."""
_TOLD_TO = re.compile(
    r"^(?:please )?(?:(?:(?:can|could|would|will) you )?(?:please )?(?:give|show|find|get|tell|look up)(?: me| us)?"
    r"|(?:i|we) (?:need|want)(?: to know)?|(?:i|we)(?:['’]d| would) like to know)"
    r" (?=the [a-z]+(?: [a-z]+)* (?:of|at|in|for)\b)",
    re.IGNORECASE,
)
"""What comes before a phrase that is asked for: "give me | the name of the founder of X"."""
_LIST = re.compile(
    r"^(?:please )?(?:list|name|show|give)(?: me| us)? (?:all )?(?:of )?the ([a-z]+s) "
    r"(?:(?:who|that|which) |(?=[a-z]+ed\b|made |built |written ))",
    re.IGNORECASE,
)
_THANKS = re.compile(r"[,.?!]\s*(?:please|thanks|thank you)[.!?\s]*$", re.IGNORECASE)
_SHORT = re.compile(r"^(who|what|where|when|how)['’]s\b(?! \w+ed\b)", re.IGNORECASE)
SHOUTED = 3
"""Words from which capitals throughout say nothing: a shorter question may be an abbreviation, or a title."""


def plain(question: str) -> str:
    """The question without "could you tell me" before it and "please" after it, in lower case where its capitals say
    nothing, and with "who is" for "who's"."""
    if _capitals_say_nothing(question):
        question = question.lower()
    led = _COURTESY.match(question)
    question = _THANKS.sub("?", question[led.end() :]) if led else question
    question = _listed(_TOLD_TO.sub("", question))
    return _as_asked(turned(_SHORT.sub(r"\1 is", question)))


@cache
def _property() -> re.Pattern[str]:
    """A question made of the label of a property, which is no noun: "what is the shares border with of X"."""
    known = "|".join(sorted(map(re.escape, labels()), key=len, reverse=True))
    return re.compile(rf"^(?:what|who) (?:is|was) the (?P<label>{known}) of (?P<name>[^?]+?)\s*\??$", re.IGNORECASE)


def _as_asked(question: str) -> str:
    """A question made of a property's label as one would ask it."""
    if counted := _NUMBER_OF.match(question):
        return f"How many {counted[1]} does {counted[2]} have?"
    found = _property().match(question)
    if listed := _HOW_MANY.match(question):
        return f"How many {listed[1]} are in {listed[2]}?"
    if found:
        return labels()[found["label"].lower()].format(found["name"])
    return _ADMINISTRATIVE.sub("jurisdiction", question)


_ADMINISTRATIVE = re.compile(
    r"(?<!contains )\badministrative (?:territorial )?(?:entity|unit|area|division|subdivision)\b"
)
"""What forms call the area that an authority governs."""
_NUMBER_OF = re.compile(r"^[Ww]hat (?:is|was) the number of ((?:[a-z]+ )?[a-z]+s) of ((?:the )?[A-ZÀ-Þ][^?]*?)\s*\??$")
"""How forms ask how many of something there are."""
_HOW_MANY = re.compile(r"^[Nn]umber of ((?:[a-z]+ )?[a-z]+s) (?:in|on|at) ([^?]+?)\s*\??$")
"""The same without a verb, as people type it."""


_ITS_OWN = re.compile(
    r"(?P<name>(?!(?:Are|Did|Do|Does|Have|Has|Is|Was|Were|Who|Which|When|Where)\b)[A-ZÀ-Þ][\w.’'-]*"
    r"(?: (?:(?:of|the|de|la|von|van|and) )*[A-ZÀ-Þ][\w.’'-]*)*),?"
    r" (?P<joined>or|and|than|as) (?:his|her|its|their)(?: own)? (?P<noun>[a-z][a-z-]+)(?=[ ,?.]|$)"
)


def in_own_name(question: str) -> str:
    """ "X or his teacher" as "X or the teacher of X"."""
    return _ITS_OWN.sub(r"\g<name> \g<joined> the \g<noun> of \g<name>", question)


def _listed(question: str) -> str:
    """ "List the lighthouses designed by X" as "Which lighthouses were designed by X"."""
    listed = _LIST.match(question)
    if listed is None:
        return question
    clause = listed.group().endswith(("who ", "that ", "which "))
    return f"Which {listed[1]} {'' if clause else 'were '}{question[listed.end() :]}"


def _capitals_say_nothing(question: str) -> bool:
    """Whether a question is all capitals, or has one on every word, "of" and "the" among them."""
    words = question.split()
    if len(words) < SHOUTED:
        return False
    small = [word for word in words[1:] if word.lower() in FUNCTION_WORDS]
    return question.isupper() or (bool(small) and not any(word[0].islower() for word in words))
