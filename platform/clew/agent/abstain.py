"""When an answer is none: the many ways in which a model says that it does not know."""

from __future__ import annotations

import re

from clew.text.normalise import fold

UNKNOWN = "I don't know"
FOUND = "No value, but these sentences bear on it"
"""What stands for an answer where there is none, but something was found."""

_LONGEST = 300

# Read after folding: lower case, no punctuation, no apostrophes, single spaces.
_LEAD_IN = r"(?:(?:sorry|unfortunately|im afraid|i am afraid) )*(?:(?:based on|according to) [a-z ]+? )?"
_SPEAKER = r"(?:(?:i|we|it|this|that|they|you|the \w+(?: \w+)?) )?"
_IS = r"(?:am |im |is |are |was |were )?"
_ABOUT = r"(?: (?:from|in|by|based|to|at|with|how|whether|given|here|yet|on|about|for|who|what|when|where|which)\b.*)?"
_PHRASES = (
    rf"{_SPEAKER}(?:really |simply |just )?(?:do not|dont|does not|doesnt|did not|didnt) (?:know|say|tell|mention)\b.*",
    rf"{_SPEAKER}{_IS}(?:unable to|not able to|can ?not|cant|could not|couldnt) (?:be )?"
    r"(?:answer|find|found|determine|tell|say|identif|know|infer|establish|conclude|confirm)\w*\b.*",
    rf"{_SPEAKER}{_IS}(?:unknown|unclear|unanswerable|undetermined|uncertain|unspecified|inconclusive){_ABOUT}",
    rf"{_SPEAKER}{_IS}not (?:sure|certain|clear|known|given|stated|mentioned|specified|provided|available|found|"
    rf"determined|determinable|answerable){_ABOUT}",
    r"(?:there (?:is|was|are) )?(?:no|not enough|insufficient|not sufficient) (?:\w+ )?"
    r"(?:information|info|evidence|data|context|facts?|answers?|results?|knowledge|idea|clue)"
    rf"(?: (?:is|are|was|were|that|found|available|given)\b.*)?{_ABOUT}",
    r"nothing (?:was |is )?found|noanswer|n a|not applicable|none found|null|(?:no one|nobody) knows",
)
_UNKNOWN = re.compile(f"{_LEAD_IN}(?:{'|'.join(_PHRASES)})")


def is_unknown(answer: str) -> bool:
    """Whether ``answer`` is empty, or says that there is none."""
    if answer.startswith(FOUND):
        return True
    words = fold(answer.replace("'", "").replace("’", "")).strip()[:_LONGEST]
    return not words or _UNKNOWN.fullmatch(words) is not None
