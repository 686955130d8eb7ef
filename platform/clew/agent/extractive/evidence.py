"""What the steps brought, as sentences of pages: the only ground on which the policy stands."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import count

from clew.agent.episode import numbered
from clew.agent.extractive.anchors import ASKING, title_keys
from clew.agent.extractive.candidates import Candidate, byline, candidates, date_alone
from clew.agent.extractive.lexicon import country_forms, key, stem, vocabulary
from clew.agent.extractive.speaker import speaker
from clew.agent.protocol import Dialect
from clew.text.names import without_parenthesis
from clew.text.sentences import sentences
from clew.text.subject import subject_of
from clew.types import Fact, Step

KNOWN = 8192
"""Sentences whose numbers are kept from one turn to the next."""
_identities: dict[tuple[object, ...], int] = {}
_count = count()
REMEMBERED = 2000
"""Characters before a sentence in which a name may have been told in full."""
_ENUMERATOR = re.compile(r"^(?:\d{1,2}(?:\.\d{1,2})+\.?|\d{1,2}[.)]) (?=[A-ZÀ-Þ“\"])")
"""The number of a clause or of an item, which counts nothing: "3.1 The rent …"."""
_LEAD = re.compile(r"\b(?:is|was|are|were)\s+(?:a|an|the|one of)\b(.{0,160})", re.DOTALL)
_DEFINED = re.compile(r"\b(?:is|was|are|were)\s+(?:an?\s|the\s)([^.;]{3,140}?)(?=[.;]|$|,?\s(?:who|which|that)\s)")
_FIELD = re.compile(r"[^\W\d_][^.:;?!]{0,40}: [^\W_]")
_LEAD_END = re.compile(r",|\b(?:of|in|at|on|with|by|who|which|that|near|from|for|located|situated)\b")
_RELATIVE = re.compile(r"[.;]|\b(?:of|who|whose|which|that|in|at|on|with|by|to|for|from)\b")
_TELLING = frozenset(
    "son daughter brother sister king queen prince princess duke duchess nobleman noblewoman actor actress businessman "
    "countess baroness empress".split()
)
"""Nouns that tell the gender of whom they are said of."""
EARLY = 200
"""Characters before the verb of a definition, at most."""
_LIFE = re.compile(
    r"\((?:[^()]{0,60}?)\b(?:born|b\.|died|d\.|c\.|\d{1,2} [A-Z][a-z]+ \d{3,4}|\d{3,4})\b.{0,60}?[–-]?.*?\)"
)


@dataclass
class Sentence:
    """One sentence of a page. ``number`` is that of its fact in the trajectory (0: only a passage has it).

    ``ranks`` holds, per query that brought it, its rank from 0 among that query's facts, and ``similar`` its cosine to
    the query where the strategy tells it. ``heading`` is the line of its own under which the sentence stands;
    ``before`` is what its passage says before it, ``previous`` the last sentence of that.
    """

    title: str
    text: str
    number: int = 0
    index: int = 99
    ranks: dict[str, int] = field(default_factory=dict)
    similar: dict[str, float] = field(default_factory=dict)
    previous: str = ""
    before: str = ""
    heading: str = ""
    _mentioned: tuple[frozenset[str], frozenset[str]] | None = field(
        default=None, init=False, repr=False, compare=False
    )

    @cached_property
    def folded(self) -> str:
        """The sentence's key between spaces, so that a name is found as whole words."""
        return f" {key(self.text)} "

    @cached_property
    def stems(self) -> frozenset[str]:
        """Stems of the words of title and sentence."""
        return stems(f"{self.title} {self.text}")

    @property
    def standing(self) -> float:
        """1 for the first fact of a query, less with its best rank, 0 where no query brought it."""
        return max((1 / (1 + 0.5 * rank) for rank in self.ranks.values()), default=0.0)

    def candidates(self, titles: frozenset[str]) -> tuple[Candidate, ...]:
        """What in this sentence could be an answer."""
        return candidates(self.text, self.mentioned(titles))

    def mentioned(self, titles: frozenset[str]) -> frozenset[str]:
        """Those of the titles that the sentence mentions; kept for the last ones asked about."""
        if self._mentioned is None or self._mentioned[0] is not titles:
            text = self.folded
            self._mentioned = titles, frozenset(t for t in titles if t in text and f" {t} " in text)
        return self._mentioned[1]


@dataclass
class Page:
    """All sentences known of one title, and what they tell of its subject, which is worked out once they are all in.

    ``about`` is what a document names as its subject whose title only says what sort of document it is.
    """

    title: str
    keys: frozenset[str]
    sentences: list[Sentence] = field(default_factory=list)
    opening: str = ""
    speaker: str = ""
    about: str = ""

    @property
    def name(self) -> str:
        """What the page is about: its title, or the line that it begins with where the title is only a file's name."""
        return self.opening or self.title

    @cached_property
    def folded(self) -> str:
        """The key of what it is about between spaces: "Alcohol laws of Indiana" names Indiana."""
        return f" {key(self.name)} "

    @cached_property
    def stems(self) -> frozenset[str]:
        """Stems of all words that were found of it."""
        return stems(self.title).union(*(sentence.stems | stems(sentence.heading) for sentence in self.sentences))

    @cached_property
    def lead(self) -> str:
        """The sentence that says what the page is about."""
        stated = [s for s in self.sentences if states(s.text)]
        return min(stated, key=lambda s: s.index).text if stated else ""

    @property
    def definition(self) -> tuple[Sentence, str] | None:
        """The sentence and its words on what the subject is: "a schooner that …" without its article."""
        for sentence in sorted(self.sentences, key=lambda s: s.index):
            match = _DEFINED.search(sentence.text)
            if match and match.start() < 200:
                return sentence, match.group(1).strip(" ,")
        return None

    @cached_property
    def kind(self) -> str:
        """person, place, organisation, work, or empty where nothing tells."""
        return _kind(self.lead)

    @cached_property
    def gender(self) -> str:
        """``m`` or ``f`` by what the page says that its subject is, else by its pronouns, empty where they are even."""
        return _gender_told(self.lead) or _gender(" ".join(s.text for s in self.sentences[:4]))

    def described_as(self, noun: str) -> bool:
        """Whether the lead says that the subject is such a thing."""
        match = _LEAD.search(self.lead)
        return match is not None and stem(noun) in stems(_LEAD_END.split(match.group(1), maxsplit=1)[0])


class Evidence:
    """The sentences of all steps, each once, by page."""

    def __init__(self, steps: Sequence[Step], dialect: Dialect) -> None:
        self.pages: dict[str, Page] = {}
        self.sentences: list[Sentence] = []
        self.queries: list[str] = [step.query for step in steps if step.query]
        self._by_key: dict[str, Page] = {}
        self._seen: dict[tuple[str, str], Sentence] = {}
        self._identity: dict[int, int] = {}
        self.kinship: object = None
        self.readings: dict[tuple[object, ...], object] = {}
        for step, shown in zip(steps, numbered(steps, dialect), strict=True):
            if not step.query:
                continue
            for offset, (number, item) in enumerate(shown.items()):
                if isinstance(item, Fact):
                    self._add_fact(item, number, step.query, offset)
            for passage in step.passages:
                at = next((number for number, item in shown.items() if item is passage), 0)
                self._add_passage(passage.title, passage.text, passage.start, at)
        self.titles = frozenset(k for page in self.pages.values() for k in page.keys)
        named = {
            key(name): name for step in steps for fact in step.facts for name in fact.entities if " " in name.strip()
        }
        self.entities = frozenset(named)
        self._named = named

    @cached_property
    def spelled(self) -> dict[str, str]:
        """The names of what was found, as they are written, by their keys."""
        return self._named | {
            key(bare): bare for page in self.pages.values() if (bare := without_parenthesis(page.name))
        }

    @cached_property
    def words(self) -> frozenset[str]:
        """All words that were found, folded."""
        texts = (*self.entities, *self.titles, *(sentence.folded for sentence in self.sentences))
        return frozenset(word for text in texts for word in text.split())

    def page(self, name: str) -> Page | None:
        """The page of a name, by its title with or without parenthesis, and without its article."""
        wanted = key(name)
        bare = wanted.removeprefix("the ")
        return self.pages.get(wanted) or self._by_key.get(wanted) or self._by_key.get(bare)

    def identity(self, sentence: Sentence) -> int:
        """A number for a sentence with all that is known around it: its place, its page, the pages that it mentions.

        The same from one turn to the next as long as nothing of that changes.
        """
        if (known := self._identity.get(id(sentence))) is None:
            page = self.page_of(sentence)
            mentioned = [*sorted(sentence.mentioned(self.titles)), byline(sentence.title)]
            pages = [page, *(other for name in mentioned if (other := self.page(name)))]
            around = tuple((other.title, other.lead, other.gender) for other in pages)
            own = sentence.title, sentence.text, sentence.before, sentence.heading, sentence.index
            if len(_identities) >= KNOWN:
                _identities.clear()
            known = _identities.setdefault((own, around, page.name, page.speaker, page.about), next(_count))
            self._identity[id(sentence)] = known
        return known

    def page_of(self, sentence: Sentence) -> Page:
        """The page that a sentence stands on."""
        return self.pages[key(sentence.title)]

    def names(self, name: str) -> bool:
        """Whether anything that was found mentions a name, in its title or its text."""
        forms = [f" {form} " for form in country_forms(without_parenthesis(name))]
        texts = [page.folded for page in self.pages.values()] + [sentence.folded for sentence in self.sentences]
        return any(form in text for text in texts for form in forms)

    def _add_fact(self, fact: Fact, number: int, query: str, rank: int) -> None:
        title = fact.sources[0].title if fact.sources else ""
        text = fact.text
        if title and text.startswith(f"{title}: "):
            text = text[len(title) + 2 :]
        elif not title and ": " in text[:120]:
            title, text = text.split(": ", 1)
        if is_question(text):
            return
        sentence = self._sentence(title, text)
        sentence.number = sentence.number or number
        sentence.ranks.setdefault(query, rank)
        if fact.similarity is not None:
            sentence.similar.setdefault(query, fact.similarity)

    def _add_passage(self, title: str, text: str, start: int, number: int) -> None:
        heading, parts = "", []
        if said := speaker(text):
            self._page(title).speaker = said
        if start == 0 and (subject := subject_of(title, text)):
            self._page(title).about = subject
        if start == 0 and is_file_name(title):
            self._open(title, text.strip().split("\n", 1)[0].strip())
        for part in _split(text):
            if is_heading(part) or is_question(part) or date_alone(part):
                heading = part
            elif states(part):
                parts.append((part, heading))
        before = ""
        for i, (part, heading) in enumerate(parts):
            sentence = self._sentence(title, part)
            sentence.heading = sentence.heading or heading
            sentence.previous = sentence.previous or (parts[i - 1][0] if i else "")
            sentence.before = sentence.before or before
            before = f"{before} {part}"[-REMEMBERED:]
            sentence.index = min(sentence.index, i if start == 0 else 50 + i)
            sentence.number = sentence.number or number

    def _open(self, title: str, opening: str) -> None:
        """Has a page go by its first line, where that looks like a title."""
        if not opening or not is_heading(opening) or ":" in opening:
            return
        page = self._page(title)
        page.opening = opening
        page.keys |= title_keys(opening)
        for name in page.keys:
            self._by_key.setdefault(name, page)

    def _page(self, title: str) -> Page:
        at = key(title)
        if at not in self.pages:
            page = self.pages[at] = Page(title, frozenset(title_keys(title)))
            for name in page.keys:
                self._by_key.setdefault(name, page)
        return self.pages[at]

    def _sentence(self, title: str, text: str) -> Sentence:
        text = _ENUMERATOR.sub("", " ".join(text.split()))
        at = (key(title), key(text))
        if at not in self._seen:
            self._seen[at] = Sentence(title, text)
            self._page(title).sentences.append(self._seen[at])
            self.sentences.append(self._seen[at])
        return self._seen[at]


def is_question(text: str) -> bool:
    """Whether a text is a question of its own, which states nothing: one of a list of frequent ones, say."""
    return text.endswith("?") and text.split(None, 1)[0].lower() in ASKING


def states(part: str) -> bool:
    """Whether a piece of text is long enough to state anything: four words, three with a full stop, or a field."""
    return part.count(" ") >= (2 if part.endswith(".") else 3) or _FIELD.match(part) is not None


def is_file_name(title: str) -> bool:
    """Whether a title has letters that could be capitals and none that is: that of a file without a title."""
    return title == title.lower() != title.upper()


def is_heading(part: str) -> bool:
    """Whether a piece of text is a heading: short, and without the mark that ends a sentence."""
    return part.count(" ") < 9 and part[-1:].isalnum()


@lru_cache(maxsize=2048)
def _split(text: str) -> tuple[str, ...]:
    return tuple(" ".join(text[a:b].split()) for a, b in sentences(text))


_WORD = re.compile(r"[^\W_]+")


@lru_cache(maxsize=8192)
def stems(text: str) -> frozenset[str]:
    """The stems of a text's words."""
    return frozenset(map(stem, _WORD.findall(text)))


@lru_cache(maxsize=4096)
def _kind(lead: str) -> str:
    match = _LEAD.search(lead)
    phrase = _LEAD_END.split(match.group(1), maxsplit=1)[0] if match else ""
    # The head noun comes last: a film director is no film.
    for word in reversed(re.findall(r"[a-z\-]+", phrase.lower())):
        for kind in ("work", "organisation", "place"):
            if word in vocabulary(f"{kind}_nouns"):
                return kind
        if word in vocabulary("person", "nouns"):
            return "person"
    if _LIFE.search(lead[:160]) or re.search(r"\bborn\b", lead[:120]) or _gender(lead):
        return "person"
    return ""


@lru_cache(maxsize=4096)
def _gender_told(lead: str) -> str:
    """What a definition says of its subject's gender: "was a princess, the second daughter of …"."""
    match = _LEAD.search(lead)
    phrase = _RELATIVE.split(match.group(1), maxsplit=1)[0] if match and match.start() < EARLY else ""
    noun = next((word for word in re.findall(r"[a-z]+", phrase) if word in _TELLING), "")
    return noun and ("m" if noun in vocabulary("gender", "m") else "f")


@lru_cache(maxsize=4096)
def _gender(text: str) -> str:
    words = Counter(re.findall(r"[^\W\d_]+", text.lower()))
    male = sum(words[w] for w in ("he", "his", "him", "himself"))
    female = sum(words[w] for w in ("she", "her", "hers", "herself"))
    return "m" if male > female else "f" if female > male else ""
