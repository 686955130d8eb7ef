"""What a document says of itself: who wrote it, who sent it to whom, and when."""

from __future__ import annotations

import re
from email.utils import parseaddr

from clew.agent.policies.reader.scope import LABEL
from clew.text.names import FUNCTION_WORDS, key
from clew.text.series import fields

_WROTE = ("author", "authors", "writer", "written by", "by", "from")
_WRITTEN = ("date", "created", "written")
_LABELS = {
    "wrote": _WROTE, "author": _WROTE, "authored": _WROTE, "writer": _WROTE, "drafted": _WROTE,
    "edited": ("editor", "edited by"), "published": ("publisher", "published by"), "sent": ("from", "sender"),
    "published on": ("published", "date"), "sent on": ("date", "sent"), "dated on": ("date",), "to": ("to",),
    "written on": _WRITTEN, "created on": ("created", "date"), "updated on": ("updated",),
}  # fmt: skip
"""The labels of what a question asks for, by its verb or noun; "on" asks for the day."""
_OWN = frozenset(
    """author authors writer by from to cc bcc date created written editor publisher published updated sent sender
    subject title version tags""".split()
) | {"written by", "edited by", "published by"}
"""What a line is labelled with that tells of the document and of nothing in it."""
_QUESTIONS = (
    re.compile(r"who (?P<verb>wrote|authored|drafted|edited|published|sent) (?P<what>.+)", re.IGNORECASE),
    re.compile(r"who (?:is|was|are|were) the (?P<verb>author|writer)s? of (?P<what>.+)", re.IGNORECASE),
    re.compile(r"(?P<to>to whom|whom?) (?:was|were) (?P<what>.+?) (?:sent|addressed)(?: to)?", re.IGNORECASE),
    re.compile(
        r"(?P<on>when) (?:was|were) (?P<what>.+?) (?P<verb>written|published|sent|dated|created|updated)", re.IGNORECASE
    ),
)
_SORTS = frozenset("document report article page letter message mail e email memo file text post paper".split())
"""Words that say what sort of thing a document is, which its title need not say."""
_STEM = 5


def said_of_itself(question: str, title: str, line: str) -> str:
    """The value of a line that tells of its document what is asked of that: "Karin Holt" of "author: Karin Holt".

    Empty for any other line, and where the question is about something that the title does not name.
    """
    asked = next(filter(None, (pattern.fullmatch(question.strip(" ?.")) for pattern in _QUESTIONS)), None)
    if asked is None or not _is_named(asked["what"], title):
        return ""
    told = asked.groupdict()
    labels = _LABELS["to" if told.get("to") else f"{told['verb'].lower()}{' on' if told.get('on') else ''}"]
    own = {key(name): value for name, value in _fields(line)}
    if not own or not own.keys() <= _OWN:
        return ""
    value = next((own[label] for label in labels if own.get(label)), "")
    return (parseaddr(value)[0] or value) if "@" in value and "," not in value else value


def _fields(line: str) -> list[tuple[str, str]]:
    alone = LABEL.fullmatch(line.strip())
    several = [(name, line[slice(*at)]) for name, at in fields(line)]
    return several or ([(alone["label"], alone["value"].rstrip(". "))] if alone else [])


def _is_named(what: str, title: str) -> bool:
    """Whether a title has all that a question says of a document, and that is more than what sort of thing it is."""
    near = {word[:_STEM] for word in key(title).split()}
    words = set(key(what).split()) - FUNCTION_WORDS
    return bool(words - _SORTS) and all(word[:_STEM] in near for word in words - _SORTS)
