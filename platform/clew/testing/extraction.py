"""A script for the model server that plays an extractor of facts: deterministic, and wrong as often as asked."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator
from typing import NamedTuple

from clew.ids import digest
from clew.testing.scripts import Script
from clew.text.names import capitalised_spans, key
from clew.text.sentences import sentences
from clew.types import Json

_TEXT = re.compile(r"Text, between two marks:\n(=== \w+ ===)\n(.*?)\n\1", re.DOTALL)
_TITLE = re.compile(r"^Document: (.*)$", re.MULTILINE)
_LISTED = re.compile(r"^(\d+)\. (.+)$", re.MULTILINE)
_ASKED_AGAIN = "do not hold:"
_PRONOUN = re.compile(r"(?:He|She|It|They|His|Her|Its|Their)\b")


class Shown(NamedTuple):
    """What an extraction's prompt shows: the document's title, a chunk's text, the numbers of the entities that are
    listed by their keys, and what the prompt says after the text."""

    title: str
    text: str
    listed: dict[str, int]
    rest: str


def read_prompt(messages: list[Json]) -> Shown | None:
    """What the last message shows; None where it is no prompt of an extraction."""
    prompt = str(messages[-1]["content"])
    shown, title = _TEXT.search(prompt), _TITLE.search(prompt)
    if shown is None:
        return None
    listed = {key(name): int(number) for number, name in _LISTED.findall(prompt[: shown.start()])}
    return Shown(title[1] if title else "", shown[2], listed, prompt[shown.end() :])


def extractor(wrong: float = 0.0, stubborn: float = 0.5) -> Script:
    """Give each sentence of the text that the prompt shows as a fact, with the names in it.

    The evidence of a share ``wrong`` (0 to 1) of the facts does not stand in the text; asked again, the model mends it,
    but for a share ``stubborn`` of those.
    """

    def reply(messages: list[Json], request: Json) -> str:
        shown = read_prompt(messages)
        if shown is None:
            return "This is Clew's test model: it extracts facts, and was shown no text."
        listed = shown.listed
        again = shown.rest if _ASKED_AGAIN in shown.rest else ""
        entities: dict[str, tuple[int, str]] = {}
        facts = []
        for statement, evidence in _statements(shown.text, shown.title):
            chance = random.Random(digest(evidence))
            is_wrong, is_stubborn = chance.random() < wrong, chance.random() < stubborn
            if again and json.dumps(statement, ensure_ascii=False) not in again:
                continue
            numbers = []
            for name in capitalised_spans(statement):
                folded = key(name)
                if folded not in listed:
                    entities.setdefault(folded, (max([0, *listed.values()]) + len(entities) + 1, name))
                numbers.append(listed.get(folded) or entities[folded][0])
            if is_wrong and not (again and not is_stubborn):
                evidence = " ".join([*evidence.split()[::-1], "quite"])
            parts = [{"entity": n, "role": "subject" if i == 0 else "mention"} for i, n in enumerate(numbers)]
            years = re.findall(r"\b\d{4}\b", statement)
            facts.append(
                {
                    "statement": statement,
                    "participants": parts,
                    "time": years[0] if years else "",
                    "negated": bool(re.search(r"\b(?:not|never)\b", statement)),
                    "evidence": evidence,
                }
            )
        named = [{"number": number, "name": name} for number, name in entities.values()]
        return json.dumps({"entities": named, "facts": facts}, ensure_ascii=False)

    return reply


def _statements(text: str, title: str) -> Iterator[tuple[str, str]]:
    """Statement and evidence of each sentence; a pronoun at its beginning becomes the title."""
    for start, end in sentences(text):
        evidence = text[start:end]
        pronoun = _PRONOUN.match(evidence)
        rest = evidence[pronoun.end() :] if pronoun else f" is where it says: {evidence}"
        statement = evidence if not pronoun and title and key(title) in key(evidence) else f"{title}{rest}"
        yield " ".join(statement.split())[:480], evidence
