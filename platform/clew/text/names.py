"""Names in text: how an entity's key is formed, and which runs of words are taken for names.

These are the rules of the zero-LLM hypergraph, each of which was measured by its effect on retrieval. They know
capital letters and small words; names in scripts without capitals are ``clew.text.uncased``'s matter.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterator
from functools import lru_cache
from importlib.resources import files
from typing import Literal, NamedTuple

from clew.text import abbreviations
from clew.text.attached import detached
from clew.text.language import Language, language_of
from clew.text.scripts import is_accent, spaced, words
from clew.text.uncased import is_uncased, uncased_names

_FOLDED = str.maketrans({"ø": "o", "ł": "l", "æ": "ae", "đ": "d", "œ": "oe", "ı": "i"})
_UNSPACED = (
    "\u0e00-\u0eff\u1000-\u109f\u1100-\u11ff\u1780-\u17ff\u3005\u3040-\u318f\u3400-\u9fff\uac00-\ud7ff\uf900-\ufaff"
)
"""Letters of scripts that leave no space before a name in other letters, or after it."""
_TOKEN = re.compile(r"[^\W_](?:[\w'’\-]|\.(?=\w)|(?<=\d),(?=\d))*|&")
_TOKEN_AMONG = re.compile(
    rf"(?![{_UNSPACED}])[^\W_](?:(?![{_UNSPACED}])[\w'’\-]|\.(?=\w)|(?<=\d),(?=\d))*|[{_UNSPACED}]+|&"
)
_AMONG = re.compile(f"[{_UNSPACED}]")
_SEPARATED = re.compile(r"\d[\d.]*,[\d.,]*\w*")
"""A number with a comma in it, of which no part is a name."""
_DECIMAL = re.compile(r"\d+[.:]\d+(?:[ap]m)?")
_ELIDED = re.compile(
    r"(?:(?P<of>d|dell)|l|all|nell|sull|dall|coll|un|qu|c|s|j|n|m|t|lorsqu|puisqu|jusqu)['’](?=\w)", re.IGNORECASE
)
_DIGITS_OF_YEAR = 4
_ELIDING = frozenset({"fr", "it", "ca"})
_SUFFIXING = "tr"
_SUFFIX = re.compile(r"(?<=\w)['’][^\W\d_]{1,6}\Z")
"""Of a name in Turkish, whose suffixes an apostrophe parts from it."""
_NEAR = 20
_WITHIN = frozenset(",&/'’%")
"""What does not end a sentence, and begins none behind it."""
_INITIALS = re.compile(r"(?:[^\W\d_]\.)*[^\W\d_]\Z")
_TITLES_OF_PERSONS = frozenset({"St", "Dr", "Mr", "Mrs", "Ms", "Jr", "Sr"})
SHORTENED = frozenset({"Wm", "Thos", "Chas", "Jas", "Mt", "Ft"})
"""Parts of names that are written short, with a full stop."""
_PARENTHESIS = re.compile(r"\s*\([^()]*\)")
_SEGMENT = re.compile(r"[,()]")
_POSSESSIVE = re.compile(r"['’]s?\Z")

LONGEST_NAME = 12
"""Words in a name, at most: longer runs of capitals are shouting, not names."""
LONGEST_TITLE = 6
"""Words of a page title that is looked for in other pages' sentences, at most."""
SHORTEST_TITLE = 4
"""Characters of the key of such a title, at least; one fewer in scripts without capitals, such as two Chinese signs."""
SIGNS = 3
"""Words of one sign each, as those of Chinese and Thai, that count as one word."""

JOINING = frozenset("of de la von van der du the and &".split())

FUNCTION_WORDS = frozenset(
    """
    a about above after again against all almost also although always am among an and another any are as at away back
    be became because become been before being below between both but by can could did do does doing down during each
    early either else even ever every few first for from further had has have having he hence her here hers herself him
    himself his how however i if in indeed instead into is it its itself just last late later least less like many may
    me meanwhile might more moreover most much must my near neither never next no nor not nothing now of off often on
    once one only onto or other others our out over own per perhaps rather same second several she should since so some
    soon still such than that the their them themselves then there therefore these they third this those though through
    throughout thus to together too toward towards two under unlike until up upon us very was we well were what when
    where whereas whether which while who whom whose why will with within without would yes yet you your
    """.split()
)


@lru_cache(1)
def lower_case_words() -> frozenset[str]:
    """English words that are written small within a sentence nine times of ten, or more often.

    Counted in 32,155 passages by ``clew.trainer.data.lower_case``.
    """
    return frozenset((files("clew.text") / "lower_case_words.txt").read_text("utf-8").split())


class _Token(NamedTuple):
    """A word of a text (``start`` to ``end``); what is written together with it reaches from ``begin`` to ``stop``."""

    begin: int
    start: int
    end: int
    stop: int
    is_apart: bool
    """Whether what is elided before it begins another thing: all'Accademia, but not the d' of Musée d'Orsay."""


def key(name: str) -> str:
    """The key of a name: case, accents and punctuation folded away, so that spellings of one name meet.

    What makes another letter stays, such as the vowels of Hindi and the voice of Japanese.

    >>> key("Østerbro, Ærø-St. Łódź")
    'osterbro aero st lodz'
    """
    return spaced(_bare(_bare(name, "NFKD").casefold(), "NFKD").translate(_FOLDED))


def without_parenthesis(title: str) -> str:
    """A title without what tells it apart from its namesakes: ``Mercury (planet)`` is about ``Mercury``."""
    return _PARENTHESIS.sub("", title).strip() or title.strip()


def is_name(name: str) -> bool:
    """Whether a name is worth an entity: no function word, letter, price, time, or number of fewer than four digits."""
    folded = key(name)
    if len(folded) < 2 or _DECIMAL.fullmatch(name) or all(word in FUNCTION_WORDS for word in folded.split()):
        return False
    return not (folded.replace(" ", "").isdigit() and len(folded.replace(" ", "")) < 4)


def capitalised_spans(text: str, *, in_prose: bool = False) -> Iterator[str]:
    """The names in a text: runs of capitalised words and numbers, joined over words such as *of* and *de*.

    Leading function words and possessive endings are stripped; what is then no name is left out. Where the small words
    of a text are those of another language than English, its articles, elisions and suffixes are those of that.
    ``in_prose`` also leaves out an English word that has its capital from the sentence alone: *Please*, *Based*.
    """
    language = language_of(text, FUNCTION_WORDS)
    joining = JOINING | language.joining if language else JOINING
    run: list[_Token] = []
    pending: list[_Token] = []
    previous_end = 0
    for token in _tokens(text, language):
        word = text[token.start : token.end]
        between = text[previous_end : token.begin]
        previous_end = token.stop
        if run and not _bridges(between, text[(pending or run)[-1].start : (pending or run)[-1].end]):
            yield from _name(text, run, language, in_prose)
            run, pending = [], []
        if token.is_apart and not pending:
            yield from _name(text, run, language, in_prose)
            run = []
        if (word[0].isupper() or word[0].isdigit()) and not _names_nothing(text, token, language):
            run += [*pending, token]
            pending = []
            if _POSSESSIVE.search(word) or token.end < token.stop:
                yield from _name(text, run, language, in_prose)
                run = []
        elif run and word in joining and not (language and _is_year(text, run[-1])):
            pending.append(token)
        else:
            yield from _name(text, run, language, in_prose)
            run, pending = [], []
    yield from _name(text, run, language, in_prose)


def names_in(text: str) -> Iterator[str]:
    """The names in a text in any script: those with capital letters, and those of scripts that have none."""
    yield from capitalised_spans(text, in_prose=True)
    if not text.isascii():
        yield from (name for name in uncased_names(text) if is_name(name))


def title_names(title: str) -> list[str]:
    """The names that a page's title gives to each of its sentences: its capitalised spans and those of its segments."""
    names = list(names_in(title))
    for segment in _SEGMENT.split(title):
        names += names_in(segment)
    return list(dict.fromkeys(names))


def title_mentions(sentence: str, titles: Collection[str]) -> dict[str, str]:
    """The page titles, given by their keys, that a sentence mentions: key to the words it is written with.

    The longest match wins, up to six words; a title of one word counts only where it is capitalised, if its script
    has capitals. What Korean, Arabic and Hebrew write together with a name is no part of it.
    """
    # Composed as far as ``key`` decomposes, or a word would end here where it goes on there.
    text = _bare(sentence, "NFKC")
    spans = list(words(text))
    keys = [key(text[start:end]) for start, end in spans]
    uncased = is_uncased(text)
    most = LONGEST_TITLE * SIGNS if uncased else LONGEST_TITLE
    found: dict[str, str] = {}
    i = 0
    while i < len(spans):
        for n in range(min(most, len(spans) - i), 0, -1):
            candidate = " ".join(keys[i : i + n])
            start, end = spans[i][0], spans[i + n - 1][1]
            if candidate in titles and _counts_as_title(candidate, text[start]):
                found.setdefault(candidate, text[start:end])
                i += n
                break
            if uncased and (bare := next((one for one in without_attached(text[start:end]) if key(one) in titles), "")):
                found.setdefault(key(bare), bare)
                i += n
                break
        else:
            i += 1
    return found


def without_attached(name: str) -> Iterator[str]:
    """A run of words without what is written together with the first or the last of them, each way there is."""
    *before, last = name.split(" ")
    yield from (" ".join((*before, bare)) for bare in detached(last) if last.startswith(bare))
    first, *behind = name.split(" ")
    yield from (" ".join((bare, *behind)) for bare in detached(first) if first.endswith(bare))


def title_key(title: str) -> str | None:
    """The key under which other pages' sentences may mention a page, or None if its title is unfit for that."""
    subject = without_parenthesis(title)
    folded = key(subject)
    if not is_name(subject):
        return None
    parts = folded.split()
    if is_uncased(folded):
        signs = sum(len(part) == 1 for part in parts)
        fits = len(folded) >= SHORTEST_TITLE - 1 and len(parts) - signs + signs / SIGNS <= LONGEST_TITLE
    else:
        fits = len(folded) >= SHORTEST_TITLE and len(parts) <= LONGEST_TITLE
    return folded if fits else None


def _bare(text: str, form: Literal["NFKC", "NFKD"]) -> str:
    """The text in a normal form, without the marks that it leaves to stand alone."""
    if text.isascii():
        return text
    normal = unicodedata.normalize(form, text)
    accents = {ord(c): None for c in set(normal) if unicodedata.combining(c) and is_accent(c)}
    return normal.translate(accents) if accents else normal


def _counts_as_title(candidate: str, first: str) -> bool:
    if " " in candidate:
        return not all(word in FUNCTION_WORDS for word in candidate.split())
    return candidate not in FUNCTION_WORDS and not first.islower()


def _bridges(between: str, before: str) -> bool:
    """Whether two tokens may belong to one name: only a space between them, or a full stop after an initial."""
    if between.strip() == "":
        return "\n\n" not in between
    short = before in _TITLES_OF_PERSONS | SHORTENED or bool(
        _INITIALS.match(before) or abbreviations.title().match(before)
    )
    return between.strip() == "." and short


def _is_year(text: str, token: _Token) -> bool:
    """Whether a word is a year, behind which *von* or *de* says by whom it was done."""
    return token.end - token.start == _DIGITS_OF_YEAR and text[token.start : token.end].isdigit()


def _names_nothing(text: str, token: _Token, language: Language | None) -> bool:
    """Whether a word with a capital is a number with a comma, or stands short before a name and is no title of it."""
    word = text[token.start : token.end]
    if _SEPARATED.fullmatch(word):
        return True
    if text[token.end : token.end + 1] != "." or abbreviations.title().match(word):
        return False
    known = abbreviations.before_number() if language else abbreviations.before_name()
    return known.match(word) is not None


def _tokens(text: str, language: Language | None) -> Iterator[_Token]:
    """The words of a text, without what is elided before them (l'École, d'Orsay) or hangs on them (Ankara'da)."""
    pattern = _TOKEN_AMONG if not text.isascii() and _AMONG.search(text) else _TOKEN
    is_suffixing = language is not None and language.code == _SUFFIXING
    is_plain = "'" not in text and "’" not in text
    for match in pattern.finditer(text):
        start, end = begin, stop = match.span()
        if is_plain:
            yield _Token(begin, start, end, stop, False)
            continue
        elided = _ELIDED.match(text, start, end)
        if elided and text[elided.end()].isupper() and _is_elided(text, start, elided["of"], language):
            start = elided.end()
        if is_suffixing and (suffix := _SUFFIX.search(text, start, end)):
            end = suffix.start()
        yield _Token(begin, start, end, stop, start > begin and not (elided and elided["of"]))


def _is_elided(text: str, start: int, of: str | None, language: Language | None) -> bool:
    """Whether letters before an apostrophe are an article or preposition, and no part of a name as in D'Artagnan."""
    if text[start].islower():
        return True
    return not of and language is not None and language.code in _ELIDING and _begins(text, start)


def _begins(text: str, start: int) -> bool:
    """Whether a sentence or quotation begins here, where a capital letter says nothing."""
    before = text[max(0, start - _NEAR) : start].rstrip()[-1:]
    return before not in _WITHIN and not before.isalnum()


def _name(text: str, run: list[_Token], language: Language | None, in_prose: bool) -> Iterator[str]:
    if run and _begins(text, run[0].begin):
        if language:
            while run and _is_small(text, run, language):
                run = run[1:]
        elif in_prose and len(run) == 1 and text[run[0].start : run[0].end].lower() in lower_case_words():
            return
    while run and text[run[0].start : run[0].end].lower() in FUNCTION_WORDS:
        run = run[1:]
    if not run or len(run) > LONGEST_NAME:
        return
    name = _POSSESSIVE.sub("", text[run[0].start : run[-1].end]).strip("-'’")
    name = " ".join(name.split())
    if is_name(name):
        yield name


def _is_small(text: str, run: list[_Token], language: Language) -> bool:
    """Whether a run begins with a word that names nothing: not with an initial, nor with that of a surname."""
    word = text[run[0].start : run[0].end].lower()
    is_initial = len(word) == 1 and text[run[0].end : run[0].end + 1] == "."
    return word in language.words and not is_initial and not (len(run) > 1 and word in language.surname)
