"""Questions that put what they ask for last or in a passive, in the order of the others."""

from __future__ import annotations

import re

_ONE = re.compile(r"^name (?:one|an?) (?=[a-z])", re.IGNORECASE)
_NOW = re.compile(r" (?:right now|at the moment|at present)\b")
_REGARDED = re.compile(
    r"\b(is|are|was|were) (?:(?:said|thought|believed|considered) to be|regarded as) (?=(?:the|an?) )"
)
_SAW = re.compile(
    r"^(?P<year>(?:in )?(?:what|which) (?:year|month|decade|century|day)) (?:witnessed|saw|marked|brought) (?=the )",
    re.IGNORECASE,
)
_WHO_LAST = re.compile(
    r"^(?P<what>the [a-z]+ of [^?,]+?) (?P<verb>is|was|are|were) (?P<who>whom?|what)\s*\?*$", re.IGNORECASE
)
_VERB = r"(?P<verb>[a-z]{2,}ed|built|made|written|sung|drawn|given|taken|chosen|led|held|won|shot|sold|bought|begun)"
_DONE_BY = re.compile(rf"^(?P<what>[A-ZÀ-Þ][^?,]*?) (?:is|was|are|were) {_VERB} by whom\s*\?*$")
_BY_WHOM = re.compile(rf"^[Bb]y whom (?:is|was|are|were) (?P<what>[^?,]+?) {_VERB}\s*\?*$")
_ELECTED = re.compile(
    r"\b(?:(?:newly|recently|just|currently) (?:elected|appointed|chosen|crowned|installed|sworn in)"
    r"|(?P<first>first|last|only|current) (?:democratically |directly |popularly |freely |ever )?(?:elected|appointed))"
    r" (?=[a-z])"
)
"""How somebody came to the office that is asked for."""
_NAMES_OF = re.compile(r"^(what (?:is|was|are|were)) the names? of (?=[^?]*['’]s [a-z]+\s*\?*$)", re.IGNORECASE)
_NAME_LAST = re.compile(r"^(what (?:is|was|are|were) [^?]*['’]s (?:[a-z]+ )*[a-z]+)['’]s names?\s*\?*$", re.IGNORECASE)
"""A question for the name of a relative or the like: "what is X's teacher's | name"."""
_PAST = {
    "written": "wrote",
    "sung": "sang",
    "drawn": "drew",
    "given": "gave",
    "taken": "took",
    "chosen": "chose",
    "begun": "began",
}
"""Participles of which the past tense is another word."""


def turned(question: str) -> str:
    """ "The teacher of X is whom?" as "Who is the teacher of X?", "X was built by whom?" as "Who built X?", "name one
    mill in X" as "What mill in X", "Which year saw the opening of X" as "Which year was the opening of X", "what is X's
    teacher's name" as "what is X's teacher?", "the newly elected mayor" as "the new mayor"; and without "considered to
    be" before what is asked for."""
    question = _SAW.sub(r"\g<year> was ", _ELECTED.sub(lambda m: f"{m['first'] or 'new'} ", question))
    question = _NAME_LAST.sub(r"\1?", _NAMES_OF.sub(r"\1 ", _NOW.sub("", question)))
    question = _REGARDED.sub(r"\1 ", _ONE.sub("What ", question))
    if done := _DONE_BY.match(question) or _BY_WHOM.match(question):
        return f"Who {_PAST.get(done['verb'], done['verb'])} {_inside(done['what'])}?"
    if last := _WHO_LAST.match(question):
        who = "Who" if last["who"].lower().startswith("who") else "What"
        return f"{who} {last['verb']} {_inside(last['what'])}?"
    return question


def _inside(phrase: str) -> str:
    """A phrase as it stands inside of a sentence, its article in lower case."""
    return f"the {phrase[len('The ') :]}" if phrase.startswith("The ") else phrase
