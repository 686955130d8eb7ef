"""What a sentence says of its page's subject: the phrase between the two, and the name it leads to.

"The Grace of God: The film was directed by Gérald L'Ecuyer." says of *The Grace of God* that it *was directed by*
someone. The graph of the sentence extractor has few roles, so the sentence's own words are the relation. Only sentences
of plain build are read, and whatever is in doubt is left out: a few thousand good relations make enough questions.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from clew.database.connection import Database, Row, pages
from clew.evaluation.metrics import SHORTEST_PART
from clew.text.names import key, without_parenthesis
from clew.types import Json

PAGE = 5_000
LONGEST_PHRASE = 8
"""Words."""
GAP = "___"
"""What stands for the answer in a sentence that is to be completed."""

CLOZES = {"cloze": "name", "figure": "figure", "name": "name", "word": "word"}
"""What a question asks for whose phrase is a sentence with a gap."""

_AUXILIARY = r"(?:is|was|are|were)"
_PREPOSITION = r"(?:by|in|of|to|for|from|at|with|on|as|into|under|near|after|against)"
_TRANSITIVE = (
    "married directed wrote founded won received played produced defeated joined succeeded studied painted composed "
    "edited published built discovered invented governed ruled owns owned bought acquired hosted coached represents "
    "represented attended crosses borders designed created led commanded joined"
).split()
_PARTICIPLE = r"(?:[a-z]+ed|written|made|shot|set|built|born|sung|led|known|held|won|drawn|found|kept|sold)"
_DAY = r"(?:\d{1,2} [A-Z][a-z]+ \d{4}|[A-Z][a-z]+ \d{1,2}, \d{4})"
_PERSONAL = re.compile(
    r"\b(?:directed|written|produced|founded|designed|composed|built|created|edited|painted|discovered|invented|sung|"
    r"led|played|owned|married|succeeded|defeated|commissioned|developed|illustrated|hosted|portrayed|edited) by$|"
    r"\b(?:son|daughter|wife|husband|brother|sister|father|mother|pupil|student|widow|child|friend|nephew|niece|cousin|"
    r"granddaughter|grandson|supporter|daughters|sons) of$|\bmarried(?: to)?$|"
    r"\b(?:film|book|novel|song|album|poem|play|single|opera|painting|story) by$"
)
_PLACED = re.compile(
    r"\b(?:born|died|located|situated|based|buried|headquartered|raised|held|lies|lived|settled) in$|\bat$"
)
_VAGUE = re.compile(
    r"\b(?:also|best|better|there|one of|returned|known|described|considered|referred|as|with|against|after)\b|^was for"
)
_RANKED = re.compile(r"\b(?:\w+est|first|second|third|last|\w+th) (?:of|in|from|to)$")
_BIRTH = re.compile(rf"\(\s?(?:born |b\. ?)?({_DAY}|\d{{4}}) ?(?:[–-] ?({_DAY}|\d{{4}}) ?)?\)")
_DATE = re.compile(rf"{_DAY}|[A-Z][a-z]+ \d{{4}}|\d{{4}}")
_PERSON_PAGE = re.compile(r"\(\s?(?:born|b\.|[^()]*\d{4} ?[–-])")
_NOUN_ENDS = re.compile(
    r"\b(?:who|which|that|in|of|from|by|for|at|on|and|with|best|known|based|to|near|or|as|about|between|where|whose|"
    rf"starring|featuring|set|{_PARTICIPLE})\b|[,.;:(]"
)
_NO_NOUN = frozenset(
    "one name term part list set number series use man person first second last member two "
    "daughter son wife husband brother sister capital child been notable native".split()
)
_FOLLOWING = re.compile(
    r"(?:[.;]|, (?!and\b|or\b)[a-z]|$|(?: (?:in|on|at|for|from|by|with|when|where|who|as|during|after|before|until|to|"
    r"which|while|was|is|under|about|that|since|whom|whose)\b))"
)


@dataclass(frozen=True, slots=True)
class Relation:
    """A fact read as *subject phrase answer*.

    ``page`` and ``answer_page`` are documents, the second one empty where the answer has none of its own. ``asks`` is
    who, where, when, what or cloze; of ``trainer.data.gaps`` also value, figure, name or word. ``text`` begins with
    ``lead`` characters of title and heading; ``row`` is the row of a table that ``phrase`` ends in, if any.
    """

    fact: str
    page: str
    subject: str
    phrase: str
    answer: str
    entity: str
    answer_page: str
    asks: str
    text: str
    title: str
    lead: int
    row: str = ""

    @classmethod
    def of(
        cls, fact: Row, page: Page, phrase: str, answer: str, entity: str, its: str, asks: str, row: str = ""
    ) -> Relation:
        """What a fact of a page says."""
        own = str(fact["text"]), page.title, int(fact["lead"]), row
        return cls(fact["id"], page.id, page.name, phrase, answer, entity, its, asks, *own)

    @property
    def passage(self) -> Json:
        """What supports it, as recall looks for it: its own words, but none where they are too few to be told."""
        own = self.text[self.lead :]
        return {"title": self.title, "text": own if len(own) >= SHORTEST_PART else ""}

    @property
    def cloze(self) -> bool:
        """Whether ``phrase`` is a whole sentence with a gap."""
        return self.asks in CLOZES


@dataclass(frozen=True, slots=True)
class Page:
    """A document: what it is called so that no other page is meant, and what kind of thing it is about, if known."""

    id: str
    title: str
    name: str
    noun: str
    text: str


@dataclass(frozen=True, slots=True)
class Relations:
    """All that could be read of a knowledge base; ``rest`` are the other facts, with the page that states them."""

    pages: dict[str, Page]
    relations: tuple[Relation, ...]
    rest: tuple[tuple[Row, Page], ...] = ()


def read_relations(database: Database, kb: str) -> Relations:
    """Read the relations of a knowledge base, each unique in what it leads to. Raises DatabaseError."""
    facts = list(_facts(database, kb))
    pages = _pages(facts)
    owners = Counter(key(page.name) for page in pages.values())
    of_name = {key(page.name): page.id for page in pages.values() if owners[key(page.name)] == 1}
    found = [relation for fact in facts for relation in _read(fact, pages, of_name)]
    asked = {relation.fact for relation in found}
    rest = [(fact, page) for fact in facts if fact["id"] not in asked and (page := _page_of(fact, pages))]
    return Relations(pages, tuple(unique(found)), tuple(rest))


def _page_of(fact: Row, pages: dict[str, Page]) -> Page | None:
    """The one page that states a fact."""
    documents = {source["document"] for source in fact["sources"]}
    return pages[documents.pop()] if len(documents) == 1 else None


def _facts(database: Database, kb: str) -> Iterator[Row]:
    for rows in pages(database.read, "train/facts", kb=kb, limit=PAGE):
        yield from rows


def _pages(facts: Sequence[Row]) -> dict[str, Page]:
    first: dict[str, tuple[int, str, str]] = {}
    texts: dict[str, list[str]] = {}
    for fact in facts:
        sentence = fact["text"][fact["lead"] :]
        for source in fact["sources"]:
            texts.setdefault(source["document"], []).append(sentence)
            best = first.get(source["document"])
            if best is None or source["start"] < best[0]:
                first[source["document"]] = (source["start"], source["title"], sentence)
    shared = Counter(key(without_parenthesis(title)) for _, title, _ in first.values())
    pages = {}
    for id, (_, title, sentence) in first.items():
        short = without_parenthesis(title)
        name = short if shared[key(short)] == 1 else " ".join(title.split())
        pages[id] = Page(id, title, name, _noun(sentence), " ".join(texts[id]))
    return pages


def _noun(sentence: str) -> str:
    """The head of "is a 2012 American action film written by …": film. Empty where it is not plain."""
    plain = re.sub(r"\s*\([^()]*\)", "", sentence)
    found = re.search(rf" {_AUXILIARY} (?:a|an|the|one of the) (.+)", plain)
    if not found:
        return ""
    words = _NOUN_ENDS.split(found[1], maxsplit=1)[0].split()
    last = words[-1] if words else ""
    return last if re.fullmatch(r"[a-z]{3,}", last) and last not in _NO_NOUN and not last.endswith("est") else ""


def _read(fact: Row, pages: dict[str, Page], of_name: dict[str, str]) -> Iterator[Relation]:
    page = _page_of(fact, pages)
    if page is None:
        return
    sentence = " ".join(fact["text"][fact["lead"] :].split())
    plain = re.sub(r"\s*\([^()]*\)", "", sentence)
    yield from _life(fact, page, sentence)
    rest = _after_subject(plain, page)
    if not rest:
        return
    for entity in fact["entities"]:
        answer = str(entity["surface"] or entity["name"])
        place = plain.find(answer, len(plain) - len(rest))
        if entity["role"] in ("subject", "topic") or place < 0 or plain.count(answer) != 1:
            continue
        before, behind = plain[len(plain) - len(rest) : place], plain[place + len(answer) :]
        phrase = _phrase(before)
        if not phrase or not _FOLLOWING.match(behind) or key(answer) in key(page.title):
            continue
        if " and " in answer or " or " in answer:
            continue
        dated = bool(_DATE.fullmatch(answer))
        if dated != phrase.endswith((" in", " on")) and dated:
            continue
        asks = "when" if dated else "who" if _PERSONAL.search(phrase) else "where" if _PLACED.search(phrase) else "what"
        its = of_name.get(key(answer), "")
        if its != page.id:
            yield Relation.of(fact, page, phrase, answer, entity["id"], its, asks)
    if cloze := _cloze(fact, page, plain, rest, of_name):
        yield cloze


def _life(fact: Row, page: Page, sentence: str) -> Iterator[Relation]:
    """Birth and death as the first sentence of a person's page tells them, in parentheses after the name."""
    found = _BIRTH.search(sentence)
    if not found or not page.noun or not re.search(r" (?:is|was) (?:a|an|the) ", sentence[found.end() :][:60]):
        return
    days = zip(("was born", "died"), found.groups(), strict=True)
    born_only = re.match(r"\(\s?b", found[0])
    for phrase, day in days:
        if day and re.fullmatch(_DAY, day) and (found[2] or born_only):
            of = [entity["id"] for entity in fact["entities"] if entity["surface"] == day]
            yield Relation.of(fact, page, f"{phrase} on", day, of[0] if of else day, "", "when")


def _cloze(fact: Row, page: Page, plain: str, rest: str, of_name: dict[str, str]) -> Relation | None:
    """The sentence with its longest name left out, where what remains is telling enough."""
    offset = len(plain) - len(rest)
    names = [
        (len(str(e["surface"])), str(e["surface"]), e["id"])
        for e in fact["entities"]
        if e["role"] not in ("subject", "topic") and e["surface"] and plain.count(e["surface"]) == 1
    ]
    names = [one for one in names if plain.find(one[1]) >= offset and key(one[1]) not in key(page.title)]
    if not names or not 60 <= len(plain) <= 180 or plain.count('"') % 2:
        return None
    _, answer, entity = max(names)
    behind = plain[plain.find(answer) + len(answer) :]
    if not _FOLLOWING.match(behind) or " and " in answer or _DATE.fullmatch(answer):
        return None
    its = of_name.get(key(answer), "")
    return Relation.of(fact, page, plain.replace(answer, GAP), answer, entity, its, "cloze")


def _after_subject(sentence: str, page: Page) -> str:
    """What follows the subject, where the sentence begins with it: by name, by pronoun, or as *the film*."""
    pronoun = r"He|She" if _PERSON_PAGE.search(page.text) else "It"
    if "He" in pronoun and re.search(r"\bHe\b", page.text) and re.search(r"\bShe\b", page.text):
        pronoun = r"(?!)"
    names = {re.escape(page.title), re.escape(without_parenthesis(page.title)), pronoun}
    if page.noun:
        names.add(rf"(?:The|This) {re.escape(page.noun)}")
    found = re.match(rf"(?:{'|'.join(sorted(names, key=len, reverse=True))}) (?=[a-z])", sentence)
    return sentence[found.end() :] if found else ""


def _phrase(before: str) -> str:
    """The relation in what stands between subject and answer: "was directed by"; empty where that is not plain."""
    before = before.strip()
    if re.search(r"[,;:\"“”()]|\b(?:who|which|that|not|his|her|their|its|whose|when|where|while)\b", before):
        return ""
    before = re.sub(rf"({_PREPOSITION})(?: (?:the|a|an))?(?: [a-z-]+){{0,3}}$", _without_role, before)
    if re.search(r"[A-Z0-9]", before):
        # "is a 2012 American film directed by": what kind of thing it is does not matter here.
        found = re.match(
            rf"({_AUXILIARY}) (?:a|an|the) .*?\b({_PARTICIPLE}(?: and {_PARTICIPLE})? (?:by|in|at|on))$", before
        )
        before = f"{'was' if found[2].endswith(' by') else found[1]} {found[2]}" if found else ""
    words = before.split()
    if not 1 <= len(words) <= LONGEST_PHRASE or not re.fullmatch(r"[a-z'-]+(?: [a-z'-]+)*", before):
        return ""
    if _VAGUE.search(before) or _RANKED.search(before):
        return ""
    starts_well = re.match(rf"{_AUXILIARY}$|[a-z]+ed$|{'|'.join(_TRANSITIVE)}$", words[0])
    ends_well = re.match(rf"{_PREPOSITION}$", words[-1]) or words[-1] in _TRANSITIVE
    if not starts_well or not ends_well or (len(words) == 2 and re.match(_AUXILIARY, words[0])):
        return ""
    return before


def _without_role(found: re.Match[str]) -> str:
    """ "by the art director" is by, unless the words are part of the relation ("in the northeast of")."""
    return found[1]


def unique(relations: Iterable[Relation]) -> Iterator[Relation]:
    """Those whose page says it of one answer only, and of no other by words that end the same."""
    relations = list(relations)
    answers: dict[tuple[str, str], set[str]] = {}
    for one in relations:
        answers.setdefault((one.page, _ending(one)), set()).add(one.entity)
    seen = set()
    for one in relations:
        place = one.page, _ending(one)
        if len(answers[place]) == 1 and place not in seen:
            seen.add(place)
            yield one


def _ending(relation: Relation) -> str:
    return relation.phrase if relation.cloze or relation.asks == "value" else " ".join(relation.phrase.split()[-2:])
