"""Where names stand in a sentence: runs of capitals, over joining words and titles of rank, and known titles."""

from __future__ import annotations

import re
from functools import cache
from itertools import pairwise

from clew.agent.extractive.lexicon import country, first_names, head_types, key, vocabulary
from clew.text.names import FUNCTION_WORDS

_TOKEN = re.compile(
    r"\d{4}(?=[A-ZÀ-Þ][a-zß-ÿ])|['’]s\b|(?<=s)['’](?=\s)|(?:[^\W\d_]\.){1,}(?=\s|,|$|\w)|\b(?:St|Dr|Mr|Mrs|Mt|Ft|Jr|Sr|Bros|Gen|Col|Lt|Capt|Rev)\.|[^\W_]+(?:['’.\-–&](?!s\b)[^\W_]+)*|[^\w\s]"
)
_JOINING = frozenset(
    "of the de la von van der den du del della di da le les al el bin ibn y e zu af av do dos and &".split()
)
_TITLE_TAIL = re.compile(
    r",\s(?:the\s)?(?:\d+(?:st|nd|rd|th)\s)?(?:Duke|Earl|Count|Countess|Duchess|Prince|Princess|King|Queen|Marquess|Marquis|"
    r"Baron|Baroness|Viscount|Lord|Landgrave|Margrave|Elector|Jr|Sr|Baronet|Marchioness|Abbess|Archduke|Infante|Infanta|"
    r"Margravine|Grand|Electress|Holy)\b\.?"
)
_CALENDAR = frozenset(
    """january february march april may june july august september october november december monday tuesday wednesday
    thursday friday saturday sunday mondays tuesdays wednesdays thursdays fridays saturdays sundays""".split()
)
MANY = 4
"""Words of a run of capitals from which it may be several people's names."""
LABELS = 4
"""Labels from which a text is taken for a flattened table."""
MANY_LABELS = 6
"""Labels that make a table of a longer text."""
_LEADING = frozenset(
    "despite besides alongside originally additionally previously similarly subsequently unlike like following "
    "including although though because however moreover furthermore".split()
)
"""Words that begin a sentence right before a name, and are no part of one."""


def names(text: str, titles: frozenset[str]) -> list[tuple[int, int]]:
    """The spans of names: runs of capitals, over joining words and titles of rank, and every known title."""
    words = [(m.group(), m.start(), m.end()) for m in _TOKEN.finditer(text)]
    labels = _labels(words) | _columns(text, words)
    spans: list[tuple[int, int]] = []
    i = 0
    while i < len(words):
        if not _capital(words[i][0]) or i in labels:
            i += 1
            continue
        first = i
        i += 1
        while i < len(words) and i not in labels:
            step = _extends(text, words, i)
            if not step:
                break
            i += step
        while first < i and words[first][0].lower() in FUNCTION_WORDS and words[first][0] != "The":
            if first and first + 1 < i:  # not a word that begins the sentence: the *No* of "his album No Fences"
                spans.append((words[first][1], words[i - 1][2]))
            first += 1
        if first == 0 and i > 1 and words[0][0].lower() in _LEADING:
            first = 1  # "Despite Finch's efforts"
        if first < i and words[first][0].endswith(("-born", "-based")):
            first += 1
        if first + 1 < i and words[first][0] == "Incumbent":
            first += 1
        opening = words[0][0].endswith(("ing", "ed"))
        if i - first == 1 and words[first][0].lower() in vocabulary("openers"):
            continue
        if first == 0 and i == 1 and opening and words[1:] and not words[1][0][0].isupper():
            continue  # a participle that begins the sentence: "Located in", "Following the"
        if first == 0 and i == 1 and _commands(words):
            continue  # "Write to …"
        if first == 0 and i == 1 and words[1:] and words[1][0][0].islower() and _people_alone(words[0][0].lower()):
            continue  # "Students should have …"
        if first == 0 and i > LED and _is_noun(words[0][0]):
            first += 1  # "Goalkeeper Ravi Nair broke …"
        if first < i and _numbered(words, first, i):
            first -= 1
        if first < i and not all(_dated(w[0].lower()) for w in words[first:i]):
            spans += _head_only(words, first, i) or _with_tail(text, words[first][1], words[i - 1][2])
            spans += _wider(text, words, first, i)
            spans += _people(words, first, i) + _around_office(words, first, i)
    spans += [s for s in _known_titles(words, titles) if s not in spans]
    spans += [(a + m.end(), b) for a, b in spans for m in re.finditer(r" (?:of|at)(?: the)? (?=[A-ZÀ-Þ])", text[a:b])]
    return sorted(set(spans))


def _numbered(words: list[tuple[str, int, int]], first: int, end: int) -> bool:
    """Whether a number begins a name: the 14 of "14 Records", the 20th of "20th Century Lamps"."""
    before = words[first - 1][0] if first else ""
    if before.isdigit():
        return len(before) != YEAR and end - first == 1 and words[first][0].lower() in vocabulary("organisation")
    return before[:1].isdigit() and words[first][0] == "Century" and end - first > 1


YEAR = 4
"""Digits of a year, which begins no name: "In 1963 Parliament met"."""


def quoted(text: str) -> list[tuple[int, int]]:
    """The spans of what stands in quotation marks as a title does: "I Row to Torp"."""
    if not any(mark in text for mark in _MARKS):
        return []
    return [m.span(m.lastindex or 0) for m in _QUOTED.finditer(text)]


_MARKS = ('"', "“", "``")
_TITLE = r"((?=[A-ZÀ-Þ\d])(?:[^\s\"“”`]+ ){1,9}?[^\s\"“”`]+?)"
_QUOTED = re.compile(rf"(?:(?<![^\s(])[\"“]{_TITLE}[,.]?[\"”](?!\w)|``\s?{_TITLE}(?:\s?,)?\s?'')")
"""A title in quotation marks of several words, at most ten."""


def _dated(word: str) -> bool:
    """Whether a word says at most which day is meant: the April and the 6 of "April 6"."""
    return word in FUNCTION_WORDS or word in _CALENDAR or word.isdigit()


def _commands(words: list[tuple[str, int, int]]) -> bool:
    """Whether a sentence tells somebody to do something: "Write to …", "Check the plug"."""
    word = words[0][0].lower()
    verb = word in vocabulary("commands") or word in vocabulary("verbs")
    return verb and key(word) not in first_names() and len(words) > 1 and words[1][0] in _OBJECT


_OBJECT = frozenset("a an the to it its your our them this that these those at by for from with into off on up".split())


def _people_alone(word: str) -> bool:
    """Whether a word is that of several people and nobody's name: *students*."""
    one = word.removesuffix("s")
    return word in _PEOPLE or (word != one and (head_types().get(one) == "person" or one in vocabulary("party")))


def _is_noun(word: str) -> bool:
    """Whether a word that begins a sentence is rather what somebody is than a part of the name."""
    noun = word.lower()
    known = noun in vocabulary("person", "nouns") or noun in vocabulary("occupation")
    person = known or head_types().get(noun) == "person"
    return person and noun not in vocabulary("person", "titles") and key(noun) not in first_names()


_PEOPLE = frozenset("people children men women".split())
LED = 2
"""Words in capitals from which the first one may be what somebody is."""


def _people(words: list[tuple[str, int, int]], first: int, end: int) -> list[tuple[int, int]]:
    """People that nothing but their first names keeps apart, as in a flattened table: "Barack Obama Donald Trump"."""
    if end - first < MANY:
        return []
    starts = [i for i in range(first, end - 1) if key(words[i][0]) in first_names()]
    starts = [i for n, i in enumerate(starts) if not n or i - starts[n - 1] > 1]
    return [(words[a][1], words[b - 1][2]) for a, b in pairwise([*starts, end]) if len(starts) > 1 and 1 < b - a < MANY]


def _around_office(words: list[tuple[str, int, int]], first: int, end: int) -> list[tuple[int, int]]:
    """The names before and behind an office in the midst of a run: "Ada Finch | Prime Minister | Jon Vale"."""
    held = [i for i in range(first, end) if words[i][0].lower() in _held()]
    if not held or end - first < MANY or any(words[i][0] == "of" for i in range(first, end)):
        return []
    start, stop = held[0], held[0] + 1
    while stop in held:
        stop += 1
    spans = [(words[first][1], words[start - 1][2])] if start - first > 1 else []
    return [*spans, (words[stop][1], words[end - 1][2])] if end - stop > 1 else spans


@cache
def _held() -> frozenset[str]:
    """Words of offices that stand before names."""
    return frozenset(word for word in vocabulary("office") if word not in FUNCTION_WORDS) - {"house", "party"}


def _wider(text: str, words: list[tuple[str, int, int]], first: int, end: int) -> list[tuple[int, int]]:
    """A name with the year before it (*2000 Summer Olympics*), or over what *and* or *for* adds to an institution."""
    start, stop = words[first][1], words[end - 1][2]
    year = _YEAR_BEFORE.search(text, max(0, start - len("1234 ")), start)
    spans = [(year.start(), stop)] if year else []
    inside = [w[0].lower() for w in words[first:end]]
    if inside[-1] in vocabulary("competitions") | vocabulary("events") and (held := _YEAR_AFTER.match(text, stop)):
        spans.append((start, held.end()))  # of one year: "Northern Song Contest 1991"
    if "of" in inside[1:] and vocabulary("institution") & set(inside[: inside.index("of", 1)]):
        spans += [(start, m.end()) for m in [_AND_NAME.match(text, stop)] if m]
    if vocabulary("institution") & set(inside) and inside[-1] not in _FIRMS:
        spans += [(start, m.end()) for m in [_FOR_NAME.match(text, stop)] if m]
    if _OF_WORK.search(text, max(0, start - LONGEST_WORK), start) and (titled := _TITLED.match(text, stop)):
        spans.append((start, titled.end()))
    if joined := _HYPHENED.match(text, stop):
        spans.append((start, joined.end()))
    owned = _OWNED_NAME.match(text, stop)
    if owned and owned.group(1).lower() in vocabulary("organisation") | vocabulary("place"):
        spans.append((start, owned.end()))
    return spans


def _head_only(words: list[tuple[str, int, int]], first: int, end: int) -> list[tuple[int, int]]:
    """The names before and after *of*, where that only says whose the first is: "the Golden State Warriors of the
    National League"."""
    if words[first][0].lower() in vocabulary("person", "titles"):
        return []
    if words[first][0].rstrip(".") in _ADDRESSED:
        of = next((i for i in range(first + 2, end) if words[i][0] == "of"), end)
        return [(words[first][1], words[of - 1][2]), (words[of + 1][1], words[end - 1][2])] if of + 1 < end else []
    begin = first + (words[first][0] == "The")
    for i in range(begin + 2, end - 1):
        before = words[i - 1][0].lower()
        whose = words[i + 1][0] == "the" or before in vocabulary("organisation")
        wider = before in vocabulary("place_nouns") and words[end - 1][0].lower() in vocabulary("containers")
        within = before in vocabulary("containers") or wider  # "Tarn Township of Lorne County"
        national = before == "party" and country(" ".join(w[0] for w in words[i + 1 : end])) is not None
        plain = whose and not national and before not in vocabulary("institution") | vocabulary("place")
        if words[i][0] == "of" and (within or plain):
            rest = i + 1 + (words[i + 1][0] == "the")
            return [(words[first][1], words[i - 1][2]), (words[rest][1], words[end - 1][2])]
    return []


_ADDRESSED = frozenset("Mr Mrs Ms Miss Dr Prof".split())
"""What stands before the name of somebody whose *of* names where they work, not what they rule."""
_YEAR_BEFORE = re.compile(r"(?:(?<=\bthe\s)|(?<=\bher\s)|(?<=\bhis\s))\d{4} $")
_YEAR_AFTER = re.compile(r" (?:1[89]|20)\d\d\b(?![-–/])")
_AND_NAME = re.compile(r",? and [A-ZÀ-Þ][\w\-’']*+(?: [A-ZÀ-Þ][\w\-’']*s\b)?+(?! [A-ZÀ-Þ])")
_OWNED_NAME = re.compile(r"['’]s?(?: [A-ZÀ-Þ][\w\-’']*)*? ([A-ZÀ-Þ][\w\-’']*)(?! [A-ZÀ-Þ])")
_OF_WORK = re.compile(
    r"\b(?:film|movie|song|album|book|novel|play|opera|poem|single|series|sitcom|musical|drama|story|game|hymn|ballad|track|EP)"
    r"(?:,| called| titled| entitled)? $"
)
_TITLED = re.compile(
    r"(?: (?:with|in|on|for|to|at|from|into|over|under|the|a|an|of|or|my|your|his|her|our|is|are|you|me)){1,3}"
    r"(?: [A-ZÀ-Þ][\w’'-]*)+"
)
"""What a title goes on with behind a small word: "the album Sleeping | with the Gulls"."""
LONGEST_WORK = 24
_HYPHENED = re.compile(r" - [A-ZÀ-Þ][\w’']*(?: [A-ZÀ-Þ][\w’']*)*")
"""A hyphen that stands apart: "Gull - Man"."""
_FIRMS = frozenset("company corporation inc ltd".split())
"""What works for somebody else rather than being called so: "built by the Tarn Company for the Navy"."""
_FOR_NAME = re.compile(r" for (?:the )?[A-ZÀ-Þ][\w\-’']*(?: [A-ZÀ-Þ][\w\-’']*)*")


def _labels(words: list[tuple[str, int, int]]) -> frozenset[int]:
    """The places of a flattened table's labels; none in running text, which has verbs and few of them."""
    found = frozenset(i for i, w in enumerate(words) if _capital(w[0]) and w[0].lower() in vocabulary("labels"))
    dense = len(found) >= LABELS and len(found) * 12 > len(words)
    return found if dense or (len(found) >= MANY_LABELS and len(found) * 25 > len(words)) else frozenset()


def _columns(text: str, words: list[tuple[str, int, int]]) -> frozenset[int]:
    """The places of the words that name the columns of a table's row: "*Feature*: Range; *Value*: 60 km".

    Two capitals are rather somebody's name: "Ada Finch: soprano; John Vale: tenor".
    """
    if not _ROW.match(text):
        return frozenset()
    spans = [m.span(1) for m in _COLUMN.finditer(text) if " " not in m.group(1) or not m.group(1).istitle()]
    return frozenset(i for i, (_, start, end) in enumerate(words) if any(a <= start and end <= b for a, b in spans))


_COLUMN = re.compile(r"(?:^|(?<=; ))([^:;]{1,60}): ")
_ROW = re.compile(r"[^:;.]{1,60}: [^;]+; [^:;.]{1,60}: ")


def _capital(word: str) -> bool:
    return word[0].isupper() or _ARABIC.match(word) is not None


_ARABIC = re.compile(r"(?:a[ldnstrz]|ash|el)-[A-ZÀ-Þ]")
"""An Arabic name behind its article: *al-Razi*."""


def _extends(text: str, words: list[tuple[str, int, int]], i: int) -> int:
    word, start, _ = words[i]
    gap = text[words[i - 1][2] : start]
    if "\n" in gap or len(gap) > 2:
        return 0
    if _capital(word) or word.startswith("al-") or (word[0].isdigit() and len(word) < 4 and not _SCORE.fullmatch(word)):
        return 1
    if word in _JOINING:
        for j in range(i + 1, min(i + 3, len(words))):
            if word == "of" and _describes(words, j):
                return 0  # "Karen Fairchild of American country music group"
            if _capital(words[j][0]):
                # "A and B" are two names, but for "the"-less pairs such as "Simon & Garfunkel".
                return 0 if word == "and" else j - i + 1
            if words[j][0] not in _JOINING:
                return 0
    return 0


_SCORE = re.compile(r"\d+[-–]\d+")


def _describes(words: list[tuple[str, int, int]], i: int) -> bool:
    """Whether a word is a nationality before what it describes."""
    name = words[i][0]
    following = words[i + 1][0] if i + 1 < len(words) else ""
    return following[:1].islower() and following not in FUNCTION_WORDS and (country(name) or name) != name


def _with_tail(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """The name itself, and with a rank or a place that a comma adds."""
    spans = [(start, end)]
    tail = _TITLE_TAIL.match(text, end)
    if tail:
        rest = re.match(
            r"(?:\s(?:of|the|[A-ZÀ-Þ][\w\-'’]*))*(?:\sand\s[A-ZÀ-Þ][\w\-'’]*(?![\w\-'’])(?!\s(?:of|[A-ZÀ-Þ])))?",
            text[tail.end() :],
        )
        stop = tail.end() + (rest.end() if rest else 0)
        while text[stop - 4 : stop] in (" and", " the"):
            stop -= 4
        spans.append((start, stop))
    return spans


def _known_titles(words: list[tuple[str, int, int]], titles: frozenset[str]) -> list[tuple[int, int]]:
    if not titles:
        return []
    keys = [key(w[0]) for w in words]
    begin = {title.partition(" ")[0] for title in titles}
    spans = []
    for i in range(len(words)):
        if keys[i].partition(" ")[0] not in begin:
            continue
        for j in range(min(len(words), i + 12), i, -1):
            if keys[j - 1] and " ".join(k for k in keys[i:j] if k) in titles:
                if words[i][0][0].isupper() or words[i][0][0].isdigit():
                    spans.append((words[i][1], words[j - 1][2]))
                break
    return spans
