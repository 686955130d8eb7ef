"""The part of a web page that has its content."""

from __future__ import annotations

from itertools import islice
from typing import Any

_LEAST_MAIN = 200
_MOST_BESIDE = 5_000
_AROUND = ("header", "footer", "nav", "aside", "form")


def main_part(body: Any) -> Any:
    """The element with the content; a <main> or <article> that holds next to nothing is a frame for something else.

    So is an <article> without the title beside which more is told than in it: a card, or what a customer says.
    """
    mains = [e for e in body.iter("main", "div", "section") if e.tag == "main" or e.get("role") == "main"]
    articles = list(body.iter("article"))
    for found in (mains[:1], articles if len(articles) == 1 else []):
        for element in found:
            size = _size(element)
            has_title = element.find(".//h1") is not None
            if has_title or (size >= _LEAST_MAIN and (element.tag != "article" or size >= _beside(body, element))):
                return element
    return body


def _size(element: Any) -> int:
    return len(" ".join("".join(element.itertext()).split()))


def _beside(body: Any, article: Any) -> int:
    """How much the paragraphs say that are neither in an article nor around the page."""
    within = {article, *article.iter("p")}
    found = islice(body.iter("p"), _MOST_BESIDE)
    beside = (one for one in found if one not in within and next(one.iterancestors(*_AROUND), None) is None)
    return sum(map(_size, beside))
