"""English words that prose writes small, counted: what ``clew.text.names`` takes for no name where a sentence begins.

    python -m clew.trainer.data.lower_case FILE... > platform/clew/text/lower_case_words.txt

Each FILE holds passages as ``trainer reader`` learns from them (``items.py``). A word counts where its sentence goes
on, behind a word or a comma: there a capital letter says that it is a name.
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from clew.trainer.reader.items import read_items

LEAST = 3
"""How often a word is written small, at least."""
SHARE = 0.9
"""The share of its places where it is, at least."""
_WORD = re.compile(r"(?<=[\w,] )[^\W\d_]+(?:['’-][^\W\d_]+)*")


def lower_case(texts: Iterable[str]) -> list[str]:
    """The words of some texts that are written small within sentences, in order; words all in capitals do not count."""
    small: Counter[str] = Counter()
    capital: Counter[str] = Counter()
    for text in texts:
        for word in _WORD.findall(text):
            if word[0].islower():
                small[word.lower()] += 1
            elif not word.isupper():
                capital[word.lower()] += 1
    return sorted(word for word, n in small.items() if n >= LEAST and n / (n + capital[word]) >= SHARE)


if __name__ == "__main__":
    passages = dict.fromkeys(item.context for item in read_items([Path(file) for file in sys.argv[1:]]))
    print("\n".join(lower_case(passages)))
