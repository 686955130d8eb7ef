"""Text to sentences, as offsets."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import accumulate, pairwise

from clew.text.abbreviations import before_name, before_number
from clew.text.names import FUNCTION_WORDS, SHORTENED

LONGEST_SENTENCE = 1000
"""Characters of a sentence, at most: what is longer is cut at a space, so that no fact is a whole page."""

_OTHER_STOP = re.compile(
    r"[。！？｡।॥؟۔።។։။།᠃]+[\"'”’」』）)\]]*|(?<=[\u10d0-\u10ff]{3})[.!?…]+(?=\s+[„\"«]?[\u10d0-\u10ff]{2})"
    r"|(?<=[\u0370-\u03ff\u1f00-\u1fff]);[»\"”]?(?=\s+[«\"“]?[\u0386-\u03ab\u1f08-\u1fff])"
)
"""What ends a sentence in Chinese, Japanese, Hindi, Arabic, Urdu, Amharic, Khmer, Armenian, Burmese, Tibetan, Mongolian
and Georgian (whose letters are all small ones), and a question in Greek; the splitter knows none of it."""
_SHORT_UNIT = re.compile(r"(?<=[\dIVXLC])\s?(?:г|гг|р|рр|в|ст|r|w|m|g|l|t|h)\.(?=\s+[^\W\d_][^\W\d_.])")
"""A unit, year or century written short: "w 1911 r.". Behind it the splitter sees no end."""
_SENTENCE_BEFORE = re.compile(r"[^.!?\n]*\Z")
_LEAST_WORDS = 4
"""Words that are a sentence with the year at their end: those that open one, as "W 1911 r." does, are fewer."""
_LOOK_BACK = 200
_STATED_END = re.compile(r"[.!?:…][\"'”’)\]]*\Z")
_ASKED = re.compile(r"(?:[?？؟]|(?<=[\u0370-\u03ff\u1f00-\u1fff]);)\Z")
_LABELLED = re.compile(r"^[^\W\d_][^\n:：.!?]{0,40}(?:: |：).*\n(?=[^\W\d_][^\n:：.!?]{0,40}(?:: |：))", re.MULTILINE)
"""A line such as "Reported by: A. Hale" before another one of the kind."""
_NUMBERED = re.compile(r"\n(?=[^\S\n]*\d+(?:\.\d+)+\.?[^\S\n]+[A-ZÀ-Þ“\"(])")
"""The end of a line before a clause with a number of its own, such as 3.1, which the splitter takes for a value."""
_SIGN_APART = re.compile(r"(?<=\d)\s(?=[%‰€£$¥₹])")
"""The space of "10 %": behind one, the tokenizer takes the sign and the full stop for one token, which ends nothing."""
_BULLET = re.compile(r"\s*[-*•–—+>|#]")
_GOES_ON_BELOW = re.compile(
    r"(?:[,:;&(–—/-]|\b(?:a|an|and|as|at|by|for|from|in|of|on|or|that|the|to|with))\s*\Z", re.IGNORECASE
)
_NARROWEST = 60
"""Characters of a line, at least, in a text that breaks its lines where they are full."""
_BLOCK = re.compile(r"[^\n].*?(?=\n\s*\n|\Z)", re.DOTALL)
_LONGEST_BLOCK = 20_000
_SHORTENED = re.compile(rf"\b(?:{'|'.join(sorted(SHORTENED))})\.\Z")
_ORDINAL = re.compile(r"(?<![\w.,])(?P<before>[^\W\d_]+ )?\d{1,2}\.\Z")
_OF_YEAR = re.compile(r"[^\W\d_]{3,}\.?\s[12]\d{3}\b")
_REST_OF_DATE = re.compile(r"\d{1,2}\.\s?\d{2,4}\b")
"""What follows the day in "am 1. 3. 1912"."""
_BEFORE_ORDINAL = frozenset("ab am beim bis das dem den der des die im seit und vom zum zur".split())
"""After these a number with a point is an ordinal in German, which writes what follows with a capital: am 3. Mai."""
_LONGEST_SHORT = 12
_FIRM = re.compile(r"\bBros\.\Z")
_WORDS = re.compile(r"[^\W\d_]+")
_WORD_CHARACTER = re.compile(r"[^\W_]")


def sentences(text: str) -> Iterator[tuple[int, int]]:
    """The sentences of a text as (start, end), without the white space around them.

    A sentence never crosses a blank line, nor do two lines with labels ("Date: …") share one, two clauses with numbers
    ("3.1 The rent …"), or lines that were ended where more had room; a semicolon ends none, a parenthesis begins none
    in the middle of another; runs of more than 1,000 characters without an end are cut.
    """
    from syntok.tokenizer import Tokenizer

    tokenizer = Tokenizer(replace_not_contraction=False)
    for start, end in _blocks(text):
        yield from _sentences_of_block(text, start, end, tokenizer)


def asks(text: str) -> bool:
    """Whether a text ends as a question does: with the mark of Arabic, Chinese or Greek, too."""
    return _ASKED.search(text.rstrip()) is not None


def _blocks(text: str) -> Iterator[tuple[int, int]]:
    """Stretches between blank lines, lines with labels, and stops that the splitter does not know.

    Very long ones are cut, which bounds the time the splitter needs.
    """
    for match in _BLOCK.finditer(text):
        ends = [
            stop.end()
            for end in (_OTHER_STOP, _LABELLED, _NUMBERED)
            for stop in end.finditer(text, match.start(), match.end())
        ]
        ends += [match.start() + end for end in _own_lines(match.group())]
        ends += [short.end() for short in _SHORT_UNIT.finditer(text, *match.span()) if _ends_with(text, short)]
        start = match.start()
        for stop in (*sorted(ends), match.end()):
            while stop - start > _LONGEST_BLOCK:
                cut = text.rfind(" ", start + 1, start + _LONGEST_BLOCK)
                end = cut if cut > start else start + _LONGEST_BLOCK
                yield start, end
                start = end
            if start < stop:
                yield start, stop
            start = stop


def _ends_with(text: str, short: re.Match[str]) -> bool:
    """Whether a sentence ends with a unit written short: a capital follows, and enough stands before it."""
    before = _SENTENCE_BEFORE.search(text[max(0, short.start() - _LOOK_BACK) : short.start()])
    return (
        text[short.end() : short.end() + _LOOK_BACK].lstrip()[:1].isupper()
        and before is not None
        and len(before.group().split()) >= _LEAST_WORDS
    )


def _own_lines(block: str) -> list[int]:
    """Where the lines of a block end that were meant as lines, as those of a timetable, and are not full ones.

    A line was ended on purpose where the first word of the next one had room in it. Those of lists stay with what
    leads them. Each line is looked at by itself: a chunk has the sentences that its document has.
    """
    lines = block.split("\n")
    ends = accumulate(len(line) + 1 for line in lines)
    return [end for end, (line, following) in zip(ends, pairwise(lines), strict=False) if _is_own(line, following)]


def _is_own(line: str, following: str) -> bool:
    word = next(iter(following.split(maxsplit=1)), "")
    has_room = len(line.rstrip()) + 1 + len(word) <= _NARROWEST
    begins = bool(line.strip()) and (word[:1].isupper() or word[:1].isdigit())
    return has_room and begins and not (_BULLET.match(line) or _GOES_ON_BELOW.search(line))


def _sentences_of_block(text: str, start: int, end: int, tokenizer: object) -> Iterator[tuple[int, int]]:
    from syntok import segmenter

    block = text[start:end]
    first = last = -1
    for tokens in segmenter.split(iter(tokenizer.tokenize(_SIGN_APART.sub("0", block)))):  # type: ignore[attr-defined]
        if not tokens:
            continue
        if first < 0 or not _goes_on(block, last, tokens[0].offset):
            if first >= 0:
                yield from _cut(text, start + first, start + last)
            first = tokens[0].offset
        last = tokens[-1].offset + len(tokens[-1].value)
    if first >= 0:
        yield from _cut(text, start + first, start + last)


def _goes_on(block: str, end: int, start: int) -> bool:
    """Whether a sentence that the splitter ends goes on: after a semicolon or an ordinal ("am 3. Mai"), in a
    parenthesis without an end before it, and in a firm's name that has an abbreviation ("Wren Bros. Records")."""
    if block[end - 1] == ";" or (_SHORTENED.search(block, max(0, end - 6), end) and block[start].isupper()):
        return True
    if block[end - 1] == "." and _is_short(block, end, start):
        return True
    if (ordinal := _ORDINAL.search(block, max(0, end - 12), end)) and _REST_OF_DATE.match(block, start):
        return True
    if ordinal and block[start].isupper():
        before = (ordinal["before"] or "").strip().lower()
        return before in _BEFORE_ORDINAL or _OF_YEAR.match(block, start) is not None
    if _FIRM.search(block, max(0, end - 6), end):
        following = _WORDS.match(block, start)
        return following is not None and following.group().lower() not in FUNCTION_WORDS
    return block[start] == "(" and _STATED_END.search(block, max(0, end - 5), end) is None


def _is_short(block: str, end: int, start: int) -> bool:
    """Whether the full stop before ``end`` is that of an abbreviation which what follows belongs to.

    In Thai it is always.
    """
    if "\u0e01" <= block[end - 2 : end - 1] <= "\u0e5b":
        return True
    begin = max(0, end - _LONGEST_SHORT)
    if any(map(str.isdigit, block[start : start + _LONGEST_SHORT].split()[0])):  # a number or a code: No. TF-2024
        return before_number().search(block, begin, end - 1) is not None
    capital = block[start].isupper() or not block[start].islower()
    return capital and before_name().search(block, begin, end - 1) is not None


def _cut(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    while text[end - 1].isspace():  # the tokenizer counts the space after a number as the number's
        end -= 1
    while end - start > LONGEST_SENTENCE:
        space = text.rfind(" ", start + 1, start + LONGEST_SENTENCE)
        cut = space if space > start else start + LONGEST_SENTENCE
        if _WORD_CHARACTER.search(text, start, cut):
            yield start, cut
        start = cut
        while start < end and text[start].isspace():
            start += 1
    if _WORD_CHARACTER.search(text, start, end):
        yield start, end
