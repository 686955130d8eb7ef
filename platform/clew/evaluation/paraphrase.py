"""Other words for the same question, by rules: how steady are results when only the wording changes?

Each rule rewrites a form that leaves the meaning alone, and no rule touches a name: a question that no rule fits has
no paraphrase.
"""

from __future__ import annotations

import re
from collections.abc import Callable

Rule = Callable[[str], str]

_AUXILIARY = "(?:is|was|are|were|did|does|do|has|had|will|would|can|could)"


def paraphrases(question: str, most: int) -> list[str]:
    """Up to ``most`` rewordings of a question, each other than the question and than the ones before it."""
    found: list[str] = []
    for rule in RULES:
        reworded = rule(question)
        if reworded not in (question, *found):
            found.append(reworded)
    return found[: max(0, most)]


def _polite(question: str) -> str:
    """*Where was X born?* becomes *Please tell me: where was X born?*"""
    return f"Please tell me: {_lower_first(question)}"


def _place(question: str) -> str:
    """*Where was X born?* becomes *In what place was X born?*, but *Where is X from?* has its preposition already."""
    ends_open = re.search(r"\b(?:from|to|at)[\s?]*$", question)
    return question if ends_open else re.sub(rf"^Where (?={_AUXILIARY}\b)", "In what place ", question)


def _person(question: str) -> str:
    """*Who was the founder of X?* becomes *Which person was the founder of X?*"""
    return re.sub(r"^Who (?=(?:is|was) the\b)", "Which person ", question)


def _what_which(question: str) -> str:
    """*Which* and *what* before a noun ask the same.

    A word with an auxiliary after it is taken for one; other words are left alone, since *What makes X …* has a verb.
    """
    swapped = {"Which": "What", "What": "Which"}
    return re.sub(
        rf"^(Which|What) (?!(?:{_AUXILIARY}|have|else|exactly|ones?|of|in|on|at)\b)(?=[a-z]+ {_AUXILIARY}\b)",
        lambda match: f"{swapped[match[1]]} ",
        question,
    )


def _genitive(question: str) -> str:
    """*Who is X's mother?* becomes *Who is the mother of X?*"""
    return re.sub(
        r"^(Who|What) (is|was) ((?!the\b)[^'’?]+)['’]s ([a-z]+(?: [a-z]+)?)\?$",
        lambda m: f"{m[1]} {m[2]} the {m[4]} of {m[3]}?",
        question,
    )


def _born(question: str) -> str:
    """*What is the place of birth of X?* becomes *Where was X born?*"""
    return re.sub(r"^What (?:is|was) the place of birth of (.+?)\s*\?$", lambda m: f"Where was {m[1]} born?", question)


def _without_mark(question: str) -> str:
    return question.rstrip(" ?")


RULES: tuple[Rule, ...] = (_born, _genitive, _place, _person, _what_which, _polite, _without_mark)
"""From the deepest change to the slightest, so that few paraphrases are the telling ones."""


def _lower_first(question: str) -> str:
    """The question with a small first letter, unless its first word is none that questions begin with."""
    first = question.split(" ", 1)[0]
    return question[:1].lower() + question[1:] if first in _FIRST_WORDS else question


_FIRST_WORDS = frozenset(
    "Who Whom Whose What When Where Which Why How Is Are Was Were Do Does Did Has Have Had Can Could In On At Of To "
    "For From By".split()
)
