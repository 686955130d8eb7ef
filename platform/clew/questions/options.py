"""Questions about two options: which of them is older, larger or the first, and whether something holds of both."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from clew.questions.plan import Attribute, Comparison, Expected, Hop, Wins
from clew.questions.reduce import Draft, phrase_hop, reduce, with_articles
from clew.questions.words import AUXILIARIES, DO, base, is_participle, leads_on, noun_class, singular

_NO_SIDE = r"(?!(?:is|are|was|were|has|have|had|do|does|did|born|died|came|out|first|last|later|earlier|older|younger|longer|more|less|than|between|among|both|and|or|who|which|what)\b)"
"""No word of what stands before an option's name."""
_SIDE = rf"(?:{_NO_SIDE}[\w'’-]+ ){{0,6}}?\{{\d+\}}(?:['’]s(?: [\w-]+){{1,3}}?)?"
_PAIR = rf"(?P<a>{_SIDE}),? (?P<link>or|and) (?:the )?(?P<b>{_SIDE})"
_TRAILING = re.compile(rf"(?P<lead>(?:who|which|what|whose|of the two|in which|when)\b[^{{}}]*?)(?:,|:| -| –)? ?(?:\b(?:between|among|out of|of)\b )?(?:the )?{_PAIR}", re.I)
_LEADING = re.compile(rf"(?:between|among|of|out of) {_PAIR},? (?P<lead>.+)|(?:which|who|what) of (?P<c>{_SIDE}) (?:or|and) (?P<d>{_SIDE}) (?P<rest>.+)", re.I)
_ASKING = re.compile(rf"(?P<aux>was|were|is|are|did|does|do|has|have) (?:the )?{_PAIR}(?P<rest> .+)", re.I)
_THAN = re.compile(rf"(?P<aux>was|were|is|are|did|does|do) (?P<a>{_SIDE}) (?P<rest>(?!or\b|and\b)[^{{}}]+?) (?P<than>than|before|after) (?P<b>{_SIDE})(?P<more> (?:was|is|did|does|do|were|are)?)?", re.I)
_BOTH = re.compile(
    rf"(?P<aux>was|were|is|are|do|does|did|have|has) (?:both |the )*(?:(?P<chain>[a-z]+s) of )?(?:the )?(?:(?P<noun>[a-z]+(?: [a-z]+)?)[,:]? )??(?P<a>{_SIDE}),? and (?P<b>{_SIDE}),? (?P<rest>.+)", re.I
)
_SAME = re.compile(r"(?:both )?(?:have |share )?(?:(?:the|their) (?P<chain>[a-z]+?)s? )?(?P<verb>[a-z]+ )??(?:both )?(?P<prep>in |from |on |at |of |to |for |by )?the same (?P<noun>[a-z][\w -]*)")
_COMMON = re.compile(rf"(?:what|which) (?:(?P<noun>[a-z]+) |.*?)(?:do|does|did|are|is|have) (?:both )?(?:the )?(?P<a>{_SIDE}) and (?:the )?(?P<b>{_SIDE}) (?:both )?(?:have in common|share|in common)(?: .*)?|(?P<c>{_SIDE}) and (?P<d>{_SIDE}) (?:are|were) both what\b.*", re.I)

_EARLIER = "first|earlier|earliest|before|sooner|longer ago"
_LATER = "last|later|latest|most recently|more recently|second|after"
_ORDER = rf"(?P<order>{_EARLIER}|{_LATER})"
_WHEN = re.compile(rf"(?:(?:is|are|was|were|got|been) )?(?:the )?(?:{_ORDER}(?: (?:to be|to|one to be|one to))? )?(?P<verb>[a-z]+(?: (?:out|up|down|on|off))?)(?P<more>(?: [a-z]+){{0,3}}?)(?: (?:the |an? )?(?P<order2>{_EARLIER}|{_LATER}))?(?: (?:date|time))?")
_AGE = re.compile(r"(?:(?:is|are|was|were) )?(?:the )?(?P<age>older|oldest|elder|eldest|younger|youngest|newer|newest)(?: one| of the two)?")
_LIVED = re.compile(r"(?:has |had )?(?:lived (?:for )?(?:the )?(?:a )?(?P<more>longer|longest|shorter|shortest)(?: life| time)?|(?:a |the )?(?:longer|longest) life ?span)")
_MEASURED = re.compile(
    r"(?P<verb>is|are|was|were|has|have|had|won|wrote|made|contains|contain|holds|[a-z]+s|[a-z]+ed) (?:the |a |an )?(?P<degree>more|most|less|least|fewer|fewest|[a-z]+(?:er|est))(?: (?P<of>[a-z][\w -]*))?"
)
_CHAIN = re.compile(r"(?:(?P<kind>[\w -]+?) )?(?:(?:has|have|had|with) (?:the|a|an)|whose) (?P<noun>[a-z]+)(?P<that> who| that)? (?P<rest>.+)")
_OPPOSITE = {
    "small": "large", "short": "long", "low": "high", "light": "heavy", "cheap": "expensive", "few": "many", "near": "far",
    "young": "old", "shallow": "deep", "narrow": "wide", "slow": "fast", "close": "far", "less": "many", "little": "large",
}  # fmt: skip
"""Adjectives of less, and the one whose question measures the same."""
_MADE = {"film": "released", "movie": "released", "song": "released", "album": "released", "book": "published", "novel": "published", "magazine": "published", "building": "built", "church": "built", "bridge": "built"}  # fmt: skip
"""How a thing came into being whose age is asked."""


@dataclass(frozen=True, slots=True)
class _Slots:
    """The first slot that is free, and the articles of the names in the others."""

    first: int
    articles: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class _Measure:
    """What is asked of each option: templates with ``{}`` in place of it, what they want, and which value wins."""

    templates: tuple[str, ...]
    attribute: Attribute
    wins: Wins
    expects: Expected
    chain: str = ""
    head: str = ""


def compared(text: str, first: int, articles: Mapping[str, str]) -> tuple[tuple[Hop, ...], Comparison] | None:
    """The hops and the comparison of a masked question about two options; None where it is none, or not sure."""
    slots = _Slots(first, articles)
    lowered = text[:1].lower() + text[1:]
    if match := _COMMON.fullmatch(lowered):
        sides = match["a"] or match["c"], match["b"] or match["d"]
        asked = f"What is the {match['noun']} of {{}}" if match["noun"] else "What is {}"
        return _planned(sides, _Measure((asked,), "text", "common", "any"), slots, asked=False)
    if match := _THAN.fullmatch(lowered):
        return _than(match, slots)
    if match := _ASKING.fullmatch(lowered):
        if match["link"].lower() == "or" and (measure := _measure(match["rest"].strip(), match["aux"])):
            return _planned((match["a"], match["b"]), measure, slots, asked=False)
    if (match := _BOTH.fullmatch(lowered)) and (measure := _of_both(match)):
        return _planned((match["a"], match["b"]), measure, slots, asked=True)
    return _choice(lowered, text, slots)


def _choice(lowered: str, text: str, slots: _Slots) -> tuple[tuple[Hop, ...], Comparison] | None:
    match = _LEADING.fullmatch(lowered)
    if match:
        lead = match["lead"] or f"{lowered.split()[0]} {match['rest']}"
        sides = (match["a"] or match["c"], match["b"] or match["d"])
        linked = match["link"] or "or"
    elif match := _TRAILING.fullmatch(lowered):
        lead, sides, linked = match["lead"], (match["a"], match["b"]), match["link"]
    else:
        return None
    subject = re.match(r"(?:who|which(?: (?:one|of the two|of these))?|what|whose)(?: (?P<noun>(?!(?:is|was|has|have|had|are|were|did)\b)[a-z][\w -]*?))?,? (?P<rest>(?:is|was|has|have|had|are|were|came|died|lived|won|with|whose|[a-z]+ed|[a-z]+s)\b.*)", lead.strip(" ,:"))
    if subject:
        noun = singular((subject["noun"] or "").split()[-1]) if subject["noun"] else ""
        person = lead.startswith("who") and not lead.startswith("whose")
        if measure := _measure(subject["rest"], "", noun, person):
            return _planned(sides, measure, slots, asked=False)
    if linked.lower() == "or" and all(re.fullmatch(r"(?:the )?(?:[a-z]+ )?\{\d+\}", side) for side in sides):
        first, second = (int(re.findall(r"\d+", side)[-1]) for side in sides)
        if first != second:
            return (Hop(with_articles(text, slots.articles), slots.first),), Comparison((first, second), (), (), "text", "which")
    return None


def _than(match: re.Match[str], slots: _Slots) -> tuple[tuple[Hop, ...], Comparison] | None:
    """``Is A older than B``, ``Was A born before B``."""
    rest = match["rest"].lower()
    if match["than"].lower() != "than":
        rest += " earlier" if match["than"].lower() == "before" else " later"
    elif not re.match(r"(?:(?:born|die) )?(?:\w+er|more|less)\b", rest):
        return None
    measure = _measure(rest if match["aux"].lower() in DO else f"{match['aux'].lower()} {rest}", match["aux"])
    return _planned((match["a"], match["b"]), measure, slots, asked=True) if measure else None


def _planned(sides: tuple[str, str], measure: _Measure, slots: _Slots, asked: bool) -> tuple[tuple[Hop, ...], Comparison] | None:
    draft = Draft("", slots.first, apposed=dict(slots.articles))
    options: list[str] = []
    for side in sides:
        draft.text = re.sub(r"^(?:both|the two) ", "", side)
        reduce(draft)
        slot = re.fullmatch(r"(?:(?:the|an?) )?(?:[a-z]+ )?(\{\d+\})", draft.text)
        if slot is None or (draft.text.startswith("{") is False and draft.text.split()[0] in AUXILIARIES):
            phrase = re.fullmatch(r"(?:the )?(?P<nouns>[a-z][\w -]*) of (?P<slot>\{\d+\})", draft.text)
            if phrase is None or not leads_on(phrase["nouns"].split()[-1]):
                return None
            options.append(phrase_hop(draft, phrase["nouns"], phrase["slot"]))
        else:
            options.append(slot[1])
    if options[0] == options[1]:
        return None
    values = []
    for option in options:
        subject = phrase_hop(draft, measure.chain, option) if measure.chain else option
        values.append(tuple(int(draft.add(one.replace("{}", subject), measure.expects, measure.head)[1:-1]) for one in measure.templates))
    first, second = (int(option[1:-1]) for option in options)
    return tuple(draft.hops), Comparison((first, second), values[0], values[1], measure.attribute, measure.wins, asked)


def _measure(rest: str, aux: str, noun: str = "", person: bool = False) -> _Measure | None:
    """What is compared by the words of a question behind its subject; ``noun`` is the sort of thing, where it is told."""
    rest = re.sub(r",? (?:one|of the two|and by how much)$", "", rest.strip(" ,:?")).lower()
    chain = _CHAIN.fullmatch(rest)
    if chain and leads_on(chain["noun"]) and not re.match(r"(?:more|less|\w+(?:er|est)) (?!(?:was|is|died|born)\b)", f"{chain['noun']} {chain['rest']}"):
        measure = _measure(chain["rest"], "", chain["noun"], noun_class(chain["noun"]) == "person")
        return _Measure(measure.templates, measure.attribute, measure.wins, measure.expects, chain["noun"], measure.head) if measure and not measure.chain else None
    if match := _AGE.fullmatch(rest):
        earlier: Wins = "earlier" if match["age"] in ("older", "oldest", "elder", "eldest") else "later"
        born = person or noun_class(noun) == "person"
        return _dated("was", "born" if born else _MADE.get(noun, "founded"), earlier)
    if match := _LIVED.fullmatch(rest):
        wins: Wins = "less" if (match["more"] or "").startswith("short") else "more"
        return _Measure(("When was {} born", "When did {} die"), "lifespan", wins, "date")
    return _timed(rest, aux) or _measured(rest, aux)


def _timed(rest: str, aux: str) -> _Measure | None:
    match = _WHEN.fullmatch(rest)
    if match is None or not (match["order"] or match["order2"]):
        return None
    verb, more = match["verb"], match["more"]
    if verb in AUXILIARIES or re.fullmatch(rf"{_EARLIER}|{_LATER}|the|to|more|most|one", verb):
        return None
    wins: Wins = "earlier" if re.fullmatch(_EARLIER, match["order2"] or match["order"]) else "later"
    first, _, particle = verb.partition(" ")
    passive = aux.lower() in ("was", "were", "is", "are") or rest.split()[0] in ("is", "are", "was", "were") or first in ("born", "founded", "built", "made", "written", "released", "published")
    if passive and not is_participle(first):
        return None
    return _dated("was", verb + more, wins) if passive else _dated("did", f"{base(first)} {particle}".strip() + more, wins)


def _dated(aux: str, verb: str, wins: Wins) -> _Measure:
    return _Measure((f"When {aux} {{}} {verb}",), "date", wins, "date")


def _measured(rest: str, aux: str) -> _Measure | None:
    """``is taller``, ``has more members``, ``has the larger population``."""
    match = _MEASURED.fullmatch(rest if not aux or aux.lower() not in DO else re.sub(r"^(\w+)", r"\1s", rest, count=1))
    if match is None:
        return None
    verb, degree, of = match["verb"], match["degree"], match["of"] or ""
    counted = degree in ("more", "most", "less", "least", "fewer", "fewest")
    wins: Wins = "less" if degree in ("less", "least", "fewer", "fewest") else "more"
    if verb in ("is", "are", "was", "were"):
        if counted:
            return _Measure((f"How {of} is {{}}",), "number", wins, "number") if of and " " not in of else None
        if re.search(r"\b(?:north|south|east|west)", of):
            return None
        adjective = _positive(degree)
        if adjective in _OPPOSITE:
            adjective, wins = _OPPOSITE[adjective], "less"
        return _Measure((f"How {adjective} is {{}}",), "number", wins, "number")
    if not of:
        return None
    if not counted:
        wins = "less" if _positive(degree) in _OPPOSITE else "more"
        return _Measure((f"What is the {of} of {{}}",), "number", wins, "number", head=of.split()[-1])
    if verb in ("has", "have", "had") and noun_class(of.split()[-1]) == "number" and singular(of) == of:
        return _Measure((f"What is the {of} of {{}}",), "number", wins, "number", head=of)
    do = "does" if verb.endswith("s") else "did"
    return _Measure((f"How many {of} {do} {{}} {base('had' if verb in ('has', 'have') else verb)}",), "number", wins, "number", head=of.split()[-1])


def _positive(degree: str) -> str:
    """An adjective of its comparative or superlative: *tall* of *taller*, *big* of *biggest*, *heavy* of *heavier*."""
    stem = re.sub(r"(?:er|est)$", "", degree)
    if stem.endswith("i"):
        return stem[:-1] + "y"
    if len(stem) > 2 and stem[-1] == stem[-2] and stem[-1] not in "ls":
        return stem[:-1]
    return stem + "e" if stem in ("larg", "wid", "clos", "lat") else {"low": "low"}.get(stem, stem)


def _of_both(match: re.Match[str]) -> _Measure | None:
    """What is asked of both: the same country, or whether each is something."""
    aux, rest = match["aux"].lower(), re.sub(r"\bboth ", "", match["rest"].strip(" ,")).lower()
    chain = singular(match["chain"]) if match["chain"] else ""
    if (match["a"] in rest or match["b"] in rest) or (chain and not leads_on(chain)):
        return None
    if same := _SAME.fullmatch(rest):
        chain = chain or (singular(same["chain"]) if same["chain"] else "")
        noun, preposition, verb = same["noun"].strip(), (same["prep"] or "").strip(), (same["verb"] or "").strip()
        head = noun.split()[-1]
        if preposition in ("", "of") and verb in ("", "have", "share"):
            template = f"{'Who' if noun_class(head) == 'person' else 'What'} is the {noun} of {{}}"
        elif aux in DO:
            template = f"{preposition.capitalize()} which {noun} did {{}} {verb}" if preposition else ""
        elif preposition == "from":
            template = f"Which {noun} is {{}} from"
        else:
            template = f"{preposition.capitalize()} which {noun} {'was' if aux in ('was', 'were') else 'is'} {{}} {verb}"
        return _Measure((template.strip(),), "date" if head == "year" else "text", "same", noun_class(head), chain, head) if template else None
    if match["rest"].lower().find("both") < 0 and "both" not in match.group().lower():
        return None
    if chain:
        return None
    verb = {"are": "Is", "were": "Was", "do": "Does", "have": "Has"}.get(aux, aux.capitalize())
    words = rest.split()
    if aux in ("are", "were", "is", "was") and singular(words[-1]) != words[-1] and not is_participle(words[0]) and len(words) <= 4:
        rest = f"{'an' if words[0][0] in 'aeiou' else 'a'} {' '.join([*words[:-1], singular(words[-1])])}"
    return _Measure((f"{verb} {{}} {rest}",), "truth", "both", "yes/no")
