"""Passages that nearly say what is asked, made of ones that do: each changes one thing in the answer's own sentence.

What is changed: the statement is denied, the two things it names exchange their places, it is told of the past where
the question asks of now, or the name that is asked for has another word in it. A reader that only likens words to words
answers all of these.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Sequence
from dataclasses import replace

from clew.text.sentences import sentences
from clew.trainer.reader.items import Item

BESIDE = 0.15
"""The share of answerable examples that is shown once more beside a denial."""
_NOT = " not"
NAMES = re.compile(r"(?<=[a-z,] )(?:[A-Z][\w’'-]+)(?: (?:of |the |de )?[A-Z][\w’'-]+)*")
"""A name within a question."""
_STATES = re.compile(r"\b(?:is|are|was|were|has been|have been|had been|can|could|will|would|must)\b(?! not\b|n[’']t)")
_NOW = re.compile(r"\b(?:is|are|has|have)\b")
_PAST = {"is": "was", "are": "were", "has": "had", "have": "had"}
_ALIKE = re.compile(r"[\s,]*(?:and|or|with|,|&|\()[\s\w]{0,12}")
"""What stands between two names of which the same is said, or of which one explains the other."""


def contradiction(item: Item, names: Sequence[str], rng: random.Random) -> Item | None:
    """One contradiction of an answerable example, of a random kind among those that it allows; None where none fits.

    ``names`` are names of other questions of its domain.
    """
    if not item.spans or item.complete:
        return None
    kinds: list[Callable[[], Item | None]] = [
        lambda: _changed(item, lambda sentence: _denied(sentence, item)),
        lambda: _changed(item, lambda sentence: _exchanged(sentence, item)),
        lambda: _changed(item, lambda sentence: _earlier(sentence, item, rng)),
        lambda: _one_word(item, names, rng),
    ]
    rng.shuffle(kinds)
    return next((made for kind in kinds if (made := kind())), None)


def beside_denials(items: Sequence[Item], rng: random.Random) -> list[Item]:
    """A share ``BESIDE`` of the answerable examples with another sentence denied, where one can be.

    Without them a reader learns that a "not" anywhere is enough to refuse.
    """
    made = (_beside_denial(item, rng) for item in items if item.spans and rng.random() < BESIDE)
    return [item for item in made if item is not None]


def _beside_denial(item: Item, rng: random.Random) -> Item | None:
    found = [(a, b) for a, b in sentences(item.context) if not any(start < b and a < end for start, end in item.spans)]
    rng.shuffle(found)
    for start, end in found:
        verbs = list(_STATES.finditer(item.context, start, end))
        if len(verbs) == 1:
            at = verbs[0].start() + len(verbs[0][0].split()[0])
            spans = ((a, b) if b <= at else (a + len(_NOT), b + len(_NOT)) for a, b in item.spans)
            return replace(item, context=f"{item.context[:at]}{_NOT}{item.context[at:]}", spans=tuple(spans))
    return None


def _changed(item: Item, change: Callable[[str], str | None]) -> Item | None:
    """The passage with another sentence in place of the only one that holds an answer."""
    holding = [(a, b) for a, b in sentences(item.context) if any(a <= start < b for start, _ in item.spans)]
    if len(holding) != 1:
        return None
    start, end = holding[0]
    before, after = item.context[:start], item.context[end:]
    made = change(item.context[start:end])
    if made is None or any(answer in before or answer in after for answer in item.answers):
        return None
    return replace(item, context=f"{before}{made}{after}", spans=())


def _denied(sentence: str, item: Item) -> str | None:
    """The sentence with "not" behind its only verb of being or ability: with two, the wrong one might be denied."""
    verbs = list(_STATES.finditer(sentence))
    if len(verbs) != 1 or _STATES.search(" ".join(item.answers)):
        return None
    place = verbs[0].start() + len(verbs[0][0].split()[0])
    return f"{sentence[:place]}{_NOT}{sentence[place:]}"


def _exchanged(sentence: str, item: Item) -> str | None:
    """The sentence with the name of the question and the answer, a name too, in each other's place."""
    answer = next((one for one in item.answers if one in sentence), "")
    asked = [name for name in NAMES.findall(item.question) if _times(name, sentence) == 1]
    if len(asked) != 1 or not answer[:1].isupper() or _times(answer, sentence) != 1:
        return None
    found = re.fullmatch(
        rf"(.*)(?<!\w)({re.escape(asked[0])}|{re.escape(answer)})(?!\w)(.*)(?<!\w)"
        rf"({re.escape(asked[0])}|{re.escape(answer)})(?!\w)(.*)",
        sentence, re.DOTALL,
    )  # fmt: skip
    if not found or found[2] == found[4] or not found[3].strip() or _ALIKE.fullmatch(found[3]):
        return None
    return f"{found[1]}{found[4]}{found[3]}{found[2]}{found[5]}"


def _times(name: str, sentence: str) -> int:
    """How often a name stands in a sentence as whole words."""
    return len(re.findall(rf"(?<!\w){re.escape(name)}(?!\w)", sentence))


def _earlier(sentence: str, item: Item, rng: random.Random) -> str | None:
    """The sentence told of a time that is over, where a question asks for what is so now."""
    verbs = list(_NOW.finditer(sentence))
    now = _NOW.search(item.question) and not _NOW.search(" ".join(item.answers))
    if len(verbs) != 1 or not now or not sentence.endswith("."):
        return None
    past = f"{sentence[: verbs[0].start()]}{_PAST[verbs[0][0]]}{sentence[verbs[0].end() : -1]}"
    return f"{past} until {rng.randint(1950, 2023)}."


def _one_word(item: Item, names: Sequence[str], rng: random.Random) -> Item | None:
    """The question of a namesake: one word of its name is another name's, which neither passage nor title has."""
    own = [name for name in NAMES.findall(item.question) if " " in name and name in f"{item.title} {item.context}"]
    if not own:
        return None
    asked = rng.choice(own)
    words, other = asked.split(), rng.choice(names).split()
    place = rng.choice([at for at, word in enumerate(words) if word[0].isupper()])
    if other[-1] in f"{item.title} {item.context} {item.question}" or not other[-1][0].isupper():
        return None
    words[place] = other[-1]
    return replace(item, question=item.question.replace(asked, " ".join(words)), spans=())
