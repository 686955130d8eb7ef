"""What sentences of other languages than English say to a question of theirs: who did it, and when.

The reader learned English. Elsewhere only this is read off: the one name, or the one year, that a sentence has beside
what the question itself says. No such answer is sure.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from difflib import SequenceMatcher
from functools import lru_cache
from unicodedata import category, digit, normalize

from clew.questions.abroad import asked_abroad, is_caseless, is_measure
from clew.questions.words import ABROAD, AUXILIARIES_ABROAD, DOERS
from clew.text.dates_abroad import dates_abroad, days_abroad
from clew.text.language import language_of
from clew.text.mentions import mentions_all
from clew.text.names import capitalised_spans, key
from clew.text.values import dates

_STEM = 5
_SHORT = 4
"""Letters of a word, at least, that a sentence has to say."""
_ROOT, _AUGMENT = 4, 2
_HAN = re.compile(r"[\u3400-\u9fff]")
_KANA = re.compile(r"[\u3040-\u30ff]{2,}")
_HIRAGANA = re.compile(r"[\u3041-\u309f]")
_SIGNS = re.compile(r"[\u0e00-\u0eff\u3040-\u30ff\u3400-\u9fff]")
"""Letters of scripts that part their words by no space."""
_HANGUL = re.compile(r"[\uac00-\ud7af]+")
_AUXILIARIES = frozenset(map(key, AUXILIARIES_ABROAD))
_AUXILIARIES_AS_WRITTEN = frozenset(AUXILIARIES_ABROAD)
_SOMEBODY = ("사람", "누구", "것", "입니까", "인가")
"""How Korean asks for somebody or something beside its question word, and what ends such a question."""
_QUESTION_WORDS = sorted((word for word in ABROAD if is_caseless(word)), key=len, reverse=True)
_YEAR = re.compile(r"(?<!\d)[12]\d{3}(?!\d)")
_BEHIND_YEAR = re.compile(r"^\d+(?:\s+[a-zà-ÿ]+)*\s+")
"""The year before "von", which joins names, too."""
_UNSPACED = "\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af"
_NUMBER = re.compile(
    rf"(?<![^\W{_UNSPACED}])(?<![.,:/-])(?:[€$£¥₩₽]\s?)?"
    r"(?P<figures>\d{1,3}(?:[ .'’]\d{3})+(?:,\d+)?(?!\d)|\d+(?:[.,]\d+)?)"
    rf"(?P<unit>\s?[%‰€$£¥₩₽]|\s?[{_UNSPACED}]{{1,4}}|(?:\s[^\W\d_]+\.)?\s[^\W\d_]"
    r"[\w\u064b-\u0652\u0900-\u0dff\u0e00-\u0eff]*[²³]?)?(?![\d/:-])"
)
"""A number with its unit, as languages with a decimal comma write it, too: "1.250,50 Euro", "3,5 Mio. Euro", "30元"."""
_IN_FIGURES = re.compile(r"(?<![\d./-])\d{1,2}([./-])\s?\d{1,2}\1\s?\d{4}(?!\d)")
_OF_DATE = re.compile(r"\s?[年月日년월일]")
_ORDINAL = re.compile(r"\d{1,2}\.\s[^\W\d_]")
"""A number that is none of an amount: the 3rd of May, the 19th century."""
_LENGTH = re.compile(r"\s(?:[kcdm]?m|met(?:er|re|ri|ro)s?|metrów|мет\w+|μέτρα)\Z", re.IGNORECASE)
_MANY = frozenset("viel viele många mycket mange mye meget veel kostet kosten kost kostar koster".split())
_HIGH = frozenset("hoch hög høj høy hoog hoge wysoki wysoka".split())
"""What amounts are, too, of which a sentence need not say that they are high."""
_VOWELS = frozenset("aeiouаеиоуыяіаεηοι")
_IDENTITY = re.compile(r"\s(?:ist|war|sind|waren)\s+(?:ein|eine)\s")
_LEAST_SHARED = 0.2
"""Share of the pairs of letters of a question that a sentence about the same has, in a script without capitals."""


def told_abroad(question: str, names: Sequence[str], sentence: str) -> str:
    """The value in a sentence that a question in another language asks for; empty where it has none, or several."""
    asked = asked_abroad(question)
    if asked is None or not _speaks_of(asked[0], names, sentence):
        return ""
    if asked[1] == "date":
        return _date(sentence)
    if asked[1] == "number":
        return _number(question, asked[0], sentence)
    if asked[1] != "person" or (_asks_nothing(asked[0], names) and not _tells_role(asked[0], sentence)):
        return ""
    return _person(asked[0], sentence)


def _date(sentence: str) -> str:
    """The one date of a sentence, or its one year."""
    figures = _in_figures(sentence)
    spans = [match.span() for match in _IN_FIGURES.finditer(figures)] + [span for span, _ in dates_abroad(figures)]
    for span in (*dates(figures), *(match.span() for match in _YEAR.finditer(figures))):
        if not any(a <= span[0] < b for a, b in spans):
            spans.append(span)
    if any(_OF_DATE.match(figures, b - 1) for _, b in spans):  # where a sign says so, other numbers are no years
        spans = [(a, b) for a, b in spans if _OF_DATE.match(figures, b - 1)]
    found = {sentence[a:b].rstrip("年년") for a, b in spans}
    return found.pop() if len(found) == 1 else ""


def _number(question: str, bare: str, sentence: str) -> str:
    """The one amount of a sentence, where that says what of the thing the amount is: 312 m long, not high."""
    figures = _in_figures(sentence)
    days = days_abroad(figures)
    found = []
    for match in _NUMBER.finditer(figures):
        at, unit = match.start("figures"), match["unit"] or ""
        is_day = any(a <= at < b for a, b in days) or _ORDINAL.match(figures, at)
        is_day = is_day or _OF_DATE.match(figures, match.end("figures"))
        is_year = _YEAR.fullmatch(match["figures"]) and (not unit or unit[0].isspace())
        if not (is_day or is_year or match["figures"] in question):
            found.append(match)
    if len(found) != 1:
        return ""
    value = sentence[slice(*found[0].span())].strip()
    measure = bare.split()[1].lower() if is_measure(bare) else ""
    if measure in _HIGH and not _LENGTH.search(value):
        measure = ""
    said = key(sentence).split()
    return value if not measure or measure in _MANY or _says(key(measure), said) else ""


def _in_figures(text: str) -> str:
    """A text of the same length with the digits of every script as those of ASCII."""
    return text if text.isascii() else "".join(str(digit(c)) if c.isdecimal() else c for c in text)


@lru_cache(maxsize=64)
def _small_words(question: str) -> frozenset[str]:
    """The keys of the words of a question's language that say nothing of what it asks for."""
    language = language_of(question, frozenset())
    return _AUXILIARIES.union(map(key, language.words)) if language else _AUXILIARIES


def _asks_nothing(bare: str, names: Sequence[str]) -> bool:
    """Whether a question asks who somebody is and nothing else, as "Qui est Luc Petit ?" does."""
    if is_caseless(bare):
        return False
    said = set(key(bare).split()[1:]) - {word for name in names for word in key(name).split()}
    return not said - _small_words(bare)


def _tells_role(bare: str, sentence: str) -> bool:
    """Whether a German sentence says who has a role, which has a capital as a name has: "Obmann war Otto Groß"."""
    language = language_of(bare, frozenset())
    return language is not None and language.code == "de" and not _IDENTITY.search(sentence)


def _speaks_of(question: str, names: Sequence[str], sentence: str) -> bool:
    """Whether a sentence is about what the question asks, and says what it asks of that: built, not repaired."""
    if is_caseless(question):
        pairs = _pairs(question)
        about = bool(pairs) and sum(pair in sentence for pair in pairs) >= _LEAST_SHARED * len(pairs)
        return about and _says_caseless(question, sentence)
    said = key(sentence).split()
    stems = {word[:_STEM] for word in said}
    small = _small_words(question)
    words = [word for word in key(question).split()[1 + is_measure(question) :] if len(word) >= _SHORT]
    shared = sum(word[:_STEM] in stems for word in words)
    if not mentions_all(sentence, names) or 2 * shared < max(len(words), 1):
        return False
    own = {word for name in names for word in key(name).split()}
    return all(_says(word, said) for word in words if word not in small and not (word in own and len(word) < _STEM))


def _says(word: str, said: Sequence[str]) -> bool:
    """Whether one of the words is the same in another form: a verb has other ends, and may begin with *ge* or *er*.

    Ends alone make no word the same (*renoviert*, *saniert*), nor does what is longer than an augment: *kaufte* is the
    opposite of *verkaufte*.
    """
    stem = word[: max(min(_STEM, len(word) - (word[-1:] in _VOWELS)), 3)]
    return any(other.startswith(stem) or _begins_within(word, other) or _begins_within(other, word) for other in said)


def _begins_within(word: str, other: str) -> bool:
    return len(word) >= _ROOT and 0 <= other.find(word[:_ROOT]) <= _AUGMENT


def _says_caseless(question: str, sentence: str) -> bool:
    """The same where words are not told apart: what the question has beside the longest stretch that both share."""
    bare = re.sub("|".join(map(re.escape, _QUESTION_WORDS)), " ", question)
    match = SequenceMatcher(None, bare, sentence, autojunk=False).find_longest_match()
    rest, elsewhere = (
        f"{bare[: match.a]} {bare[match.a + match.size :]}",
        sentence.replace(bare[match.a :][: match.size], " "),
    )
    if signs := set(_HAN.findall(rest)):
        return 2 * sum(sign in elsewhere for sign in signs) >= len(signs)
    if _KANA.search(rest):
        return all(word[:2] in sentence for word in _KANA.findall(rest))
    if verbs := [verb for verb in _HANGUL.findall(rest) if len(verb) > 1 and not verb.startswith(_SOMEBODY)]:
        said = [normalize("NFD", word) for word in _HANGUL.findall(elsewhere)]
        return all(any(word.startswith(_stem(verb)) for word in said) for verb in verbs)
    words = [word for word in rest.split() if len(word) > 2 and word not in _AUXILIARIES_AS_WRITTEN]
    return all(2 * sum(pair in elsewhere for pair in _pairs(word)) >= len(_pairs(word)) for word in words)


def is_unspaced(text: str) -> bool:
    """Whether a text has letters of a script that parts its words by no space."""
    return not text.isascii() and _SIGNS.search(text) is not None


def shared_unspaced(question: str, text: str) -> float | None:
    """The share of a question's pairs of signs that a text has; None where spaces part the words of the question.

    A text that has few of them is of something else.
    What is written in hiragana is mostly no word of its own, and the question word says nothing of what is asked.
    """
    if not is_unspaced(question):
        return None
    bare = re.sub("|".join(map(re.escape, _QUESTION_WORDS)), " ", question)
    pairs = {pair for pair in _pairs(bare) if not _HIRAGANA.search(pair)}
    share = sum(pair in text for pair in pairs) / len(pairs) if pairs else 0.0
    return share if share >= _LEAST_SHARED else 0.0


def _stem(verb: str) -> str:
    """The letters that the forms of a Korean verb share: its first syllable, and of the next what no ending changes."""
    return normalize("NFD", verb[0]) + normalize("NFD", verb[1])[: min(len(verb) - 1, 2)]


def _pairs(text: str) -> set[str]:
    """The letters of a text two by two, with the marks that are letters in Indian scripts."""
    two = (text[at : at + 2] for at in range(len(text) - 1))
    return {pair for pair in two if all(c.isalpha() or category(c).startswith("M") for c in pair)}


def _person(question: str, sentence: str) -> str:
    if is_caseless(sentence):
        found = (match[1].strip() for doer in DOERS if (match := re.search(doer, sentence)))
        return next((name for name in found if name not in question), "")
    said = set(key(question).split())
    names = (_BEHIND_YEAR.sub("", name) for name in capitalised_spans(sentence))
    others = [name for name in names if not said & set(key(name).split()) and not any(map(str.isdigit, name))]
    if len(others) > 1 and " " not in others[0] and sentence.startswith(others[0]):
        others = others[1:]  # an article or adverb that begins the sentence
    several = [name for name in others if " " in name]
    return (several if len(several) == 1 else others)[0] if len(several) == 1 or len(others) == 1 else ""
