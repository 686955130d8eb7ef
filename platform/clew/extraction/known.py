"""Names that a document tells of itself, in scripts without capitals, to be found again in all of its sentences.

No dictionary is needed for: headings of several words, titles and quotations, the value beside a label ("Name: …"),
what stands with a title or a kind of thing ("Dr …", "… University"), and words that stand together more than once.
"""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files

from clew.text.attached import detached
from clew.text.names import is_name, key, title_mentions
from clew.text.outline import headings
from clew.text.scripts import words
from clew.text.uncased import compounds, is_uncased, uncased_names
from clew.types import Document

_LABELLED = re.compile(
    r"(?:^|(?<=[;；]))\s*[^\W\d_][^\n:：;；]{0,30}[:：]\s*([^\n:：;；。]{2,40}?)\s*(?=$|[;；。])", re.MULTILINE
)
_MOST_WORDS, _MOST_SIGNS = 4, 12
"""Words, and signs of Chinese and Thai, that a heading or value has at most where it is a name."""
_LEAST_SIGNS = 4
"""Those of a heading, at least: shorter ones say what follows, such as 历史."""
_ARTICLES = ("ال", "لل", "ה")
_LONGEST_RUN = 4
"""Words that stand together and recur, at most."""
_LEAST = 2
"""Times that words stand together which are a name."""
_MARKS = "\u0300-\u036f\u0591-\u05c7\u064b-\u065f\u0670\u0900-\u0963\u0e31-\u0e4e"
_WRITTEN = re.compile(rf"[^\W_](?:[\w\u200c{_MARKS}]|[\"״'׳](?=\w))*")
"""A word with the marks on its letters, and those of what is written short in Hebrew."""
_SHORT = 3
"""Letters of what is written short before a full stop, at most."""


@dataclass(frozen=True, slots=True)
class _Script:
    """What tells a name in a script: see ``uncased.toml``."""

    letters: re.Pattern[str]
    titles: frozenset[str]
    things: frozenset[str]
    behind: frozenset[str]
    places: frozenset[str]
    joined: frozenset[str]
    words: frozenset[str]

    def is_small(self, word: str) -> bool:
        """Whether a word is no part of a name: of other letters, a small one with what is before it, or a title."""
        forms = (word, *detached(word))
        return not self.letters.match(word) or any(one in self.words or one in self.titles for one in forms)

    def title_on(self, word: str) -> str:
        """The title that is written together with a word, the longest there is; empty where none is."""
        return max((one for one in self.joined if word.startswith(one) and word != one), key=len, default="")


@lru_cache(16)
def known_names(document: Document) -> frozenset[str]:
    """The keys of the names that a document tells of itself in a script without capitals; none for any other text."""
    if not is_uncased(document.text):
        return frozenset()
    names = [*_of_headings(document), *_of_labels(document.text), *uncased_names(document.text)]
    names += [name for name, count in Counter(compounds(document.text)).items() if count >= _LEAST]
    for script in _scripts():
        if script.letters.search(document.text):
            runs = list(_runs(document.text))
            recurring = set(_recurring(runs, script))
            names += recurring
            names += [name for run in runs for name in _beside(run, script, recurring)]
    return frozenset(key(name) for name in names if is_uncased(name) and is_name(name))


def known_in(sentence: str, known: frozenset[str]) -> Iterator[str]:
    """Those of some known names that a sentence has, the longest where one is in another."""
    if known and is_uncased(sentence):
        yield from title_mentions(sentence, known).values()


def _of_headings(document: Document) -> Iterator[str]:
    for heading in headings(document.blocks):
        name = " ".join(document.text[heading.start : heading.end].split())
        count, signs = len(name.split()), _signs(name)
        if 1 < count <= _MOST_WORDS or (count == 1 and _LEAST_SIGNS <= signs <= _MOST_SIGNS):
            yield name


def _of_labels(text: str) -> Iterator[str]:
    for match in _LABELLED.finditer(text):
        value = match.group(1)
        has_digit = any(map(str.isdigit, value))
        if not has_digit and len(value.split()) <= _MOST_WORDS and _signs(value) <= _MOST_SIGNS:
            yield value


def _signs(name: str) -> int:
    """How many of a name's words are one sign."""
    return sum(end - start == 1 for start, end in words(name))


def _beside(run: Sequence[str], script: _Script, recurring: Collection[str]) -> Iterator[str]:
    """Names that stand with a title, or with the kind of thing that they name."""
    for i, word in enumerate(run):
        following = run[i + 1 : i + 3]
        before = "" if i == 0 or script.is_small(run[i - 1]) else run[i - 1]
        if any(one in script.titles for one in (word, *detached(word))):
            yield from _behind_title(following, script)
        elif (thing := _thing(word, script)) and following and not script.is_small(following[0]):
            yield f"{thing} {' '.join(following) if ' '.join(following) in recurring else following[0]}"
        elif word in script.behind and before:
            yield f"{before} {word}"
        elif word in script.places and before:
            yield before
        elif title := script.title_on(word):
            yield from _behind_title([word.removeprefix(title), *following[:1]], script)


def _thing(word: str, script: _Script) -> str:
    """The kind of thing that a word is, without what is written before it; nothing where that is an article."""
    bare = (one for one in detached(word) if not word.removesuffix(one).endswith(_ARTICLES))
    return next((one for one in (word, *bare) if one in script.things), "")


def _behind_title(following: Sequence[str], script: _Script) -> Iterator[str]:
    name: list[str] = []
    for word in following:
        is_thing = any(one in script.things for one in (word, *detached(word)))
        if is_thing or script.is_small(word) or script.title_on(word):
            break
        name.append(word)
    if name and len("".join(name)) > _LEAST:
        yield " ".join(name)


def _recurring(runs: Sequence[Sequence[str]], script: _Script) -> Iterator[str]:
    """Words that stand together more than once, the longest where all of a shorter one's places are within it."""
    counts: Counter[tuple[str, ...]] = Counter()
    for run in runs:
        for i in range(len(run)):
            for n in range(2, min(_LONGEST_RUN, len(run) - i) + 1):
                if any(script.is_small(word) or script.title_on(word) for word in run[i : i + n]):
                    break
                bare = next((one for one in detached(run[i]) if (one, *run[i + 1 : i + n]) in counts), run[i])
                counts[(bare, *run[i + 1 : i + n])] += 1
    often = {words: count for words, count in counts.items() if count >= _LEAST}
    within = {
        shorter
        for longer, count in often.items()
        for shorter in (longer[1:], longer[:-1])
        if often.get(shorter) == count
    }
    yield from (" ".join(words) for words in often if words not in within)


def _runs(text: str) -> Iterator[list[str]]:
    """The words that stand together with nothing but spaces between them, and full stops of what is written short."""
    run: list[str] = []
    last = 0
    for match in _WRITTEN.finditer(text):
        between = text[last : match.start()]
        if (
            run
            and "\n\n" not in between
            and between.strip(" .\n") == ""
            and (not between.strip() or len(run[-1]) <= _SHORT)
        ):
            run.append(match.group())
        else:
            if run:
                yield run
            run = [match.group()]
        last = match.end()
    if run:
        yield run


@lru_cache(1)
def _scripts() -> tuple[_Script, ...]:
    tables = tomllib.loads((files("clew.text") / "uncased.toml").read_text("utf-8"))
    kinds = ("titles", "things", "behind", "places", "joined", "words")
    return tuple(
        _Script(re.compile(f"[{table['letters']}]"), *(frozenset(table.get(kind, "").split()) for kind in kinds))
        for table in tables.values()
    )
