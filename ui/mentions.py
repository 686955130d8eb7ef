"""Documents that a question names by # and a title, which keep its search to them."""

from __future__ import annotations

import csv
import io

from clew import KnowledgeBase

_LONGEST_TITLE = 300


def without_mentions(base: KnowledgeBase, question: str) -> tuple[str, tuple[str, ...]]:
    """The question without the ``#`` before its titles, and the condition that keeps its search to these documents.

    A title may be cut short where only one begins so; ``#`` before anything else stays as it is.
    """
    titles: list[str] = []
    at = -1
    while (at := question.find("#", at + 1)) >= 0:
        rest = question[at + 1 : at + 1 + _LONGEST_TITLE]
        if question[at - 1 : at].strip() or not rest[:1].strip():
            continue
        word = rest.split(maxsplit=1)[0].rstrip("?!.,;:")
        rows = base.database.read("document/named", kb=base.name, text=rest.lower(), word=word.lower())
        if word and rows and (rows[0]["whole"] or len(rows) == 1):
            title = str(rows[0]["title"])
            titles.append(title)
            end = at + 1 + (len(title) if rows[0]["whole"] else len(word))
            question = question[:at] + title + question[end:]
    if not titles:
        return question, ()
    written = io.StringIO()
    csv.writer(written, quoting=csv.QUOTE_ALL, lineterminator="").writerow(dict.fromkeys(titles))
    return question, (f"title in {written.getvalue()}",)
