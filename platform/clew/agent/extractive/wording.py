"""A question as it is meant: without the courtesy around it, and not shouted."""

from __future__ import annotations

import re

from clew.agent.extractive.word_classes import QUESTION
from clew.ingest.names import FUNCTION_WORDS

_COURTESY = re.compile(
    r"(?:(?:hi|hello|hey|please|so|well|okay|ok)\b[,!.:]?\s+)*"
    r"(?:(?:(?:can|could|would|will) you (?:please |kindly )?(?:tell|show|give|explain to) (?:me|us)|tell (?:me|us)"
    r"|do you (?:happen to )?know|i(?: would|['’]d) like to know|i(?: want| need) to know|i wonder|i am wondering"
    r"|i['’]m wondering)\b[,:]?\s+)?(?=(?:(?:in|on|at|from|to|of|for|by|with|under|during|since|until) )?"
    rf"(?:{'|'.join(sorted(QUESTION))})\b|(?:is|are|was|were|do|does|did|has|have|had)\b)",
    re.IGNORECASE,
)
"""What comes before a question, and the beginning of one after it."""
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
    return _SHORT.sub(r"\1 is", question)


def _capitals_say_nothing(question: str) -> bool:
    """Whether a question is all capitals, or has one on every word, "of" and "the" among them."""
    words = question.split()
    if len(words) < SHOUTED:
        return False
    small = [word for word in words[1:] if word.lower() in FUNCTION_WORDS]
    return question.isupper() or (bool(small) and not any(word[0].islower() for word in words))
