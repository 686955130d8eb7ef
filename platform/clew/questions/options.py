"""Questions about two options: which of them is older, larger or the first, and whether something holds of both."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from clew.questions import words
from clew.questions.plan import Attribute, Comparison, Expected, Wins
from clew.questions.reduce import Draft, phrase_hop, reduce
from clew.questions.words import BE, DO, EARLIER, HAVE, LATER, is_participle, noun_class, positive, singular
from clew.text.verbs import base

_AUX = r"(?P<aux>was|were|is|are|did|does|do|has|have)"
_WORD = (  # that may stand before an option's name
    r"(?!(?:is|are|was|were|has|have|had|do|does|did|born|died|came|out|first|last|later|earlier|older|younger|longer|"
    r"more|less|than|between|among|both|and|or|who|which|what)\b)[\w'’-]+"
)
_SIDE = rf"(?:{_WORD} ){{0,6}}?\{{\d+\}}(?:['’]s(?: [\w-]+){{1,3}}?)?"
_PAIR = rf"(?P<a>{_SIDE}),? (?P<link>or|and) (?P<b>{_SIDE})"
_THAN = re.compile(rf"{_AUX} (?P<a>{_SIDE}) (?P<rest>[^{{}}]+?) (?P<than>than|before|after) (?P<b>{_SIDE})")
_ASKING = re.compile(
    rf"{_AUX} (?:both )?(?:(?:the )?(?P<chain>[a-z]+s) of (?:both )?)?(?:(?:the )?[a-z]+(?: [a-z]+)?[,:] )?{_PAIR},? "
    r"(?P<rest>.+)"
)
_LEADING = re.compile(rf"(?:between|among|(?:out )?of|(?P<which>who|which|what) of) {_PAIR},? (?P<lead>.+)")
_TRAILING = re.compile(
    rf"(?P<lead>(?:who|which|what|whose|in which|when)\b.*?)(?:,|:| -| –)? (?:(?:out )?of |between )?{_PAIR}"
)
_SAME = re.compile(
    r"(?:(?:[a-z]+ )??(?:have |share ))?(?:(?:the|their) (?P<chain>[a-z]+?)s? (?:(?:that|who) (?:are |share )?)?)?"
    r"(?P<verb>[a-z]+ )??(?P<prep>in |from |on |at |of |to |for |by )?the same (?P<noun>[a-z][\w -]*)"
)
_LEAD = re.compile(
    r"(?:who|which(?: one)?|what)(?: (?P<noun>(?!(?:is|was|has|have|had|are|were|did)\b)[a-z][\w -]*?))?,? "
    r"(?P<rest>(?:is|was|has|have|had|are|were|came|won|with|whose|[a-z]+ed|[a-z]+s)\b.*)"
)
_CHAIN = re.compile(
    r"(?:.+? )??(?:(?:has|have|had|with) (?:the|a|an)|whose) (?P<noun>[a-z]+)(?: who| that)? (?P<rest>(?!of\b).+)"
)
_AGE = re.compile(r"(?:(?:is|are|was|were) )?(?:the )?(?:(?P<old>old|eld)|young|new)(?:er|est)(?: one)?")
_LIVED = re.compile(r"(?:lived (?:for )?|has |had )(?:an? |the )?(?P<more>long|short)(?:er|est)(?: life(?: ?span)?)?")
_WHEN = re.compile(
    rf"(?:(?P<be>is|are|was|were) )?(?:(?:the )?(?P<order>{EARLIER}|{LATER}) (?:to be |to )?)?"
    rf"(?P<verb>[a-z]+(?: (?:out|up|on))?)(?P<more>(?: [a-z]+){{0,3}}?)(?: (?:the )?(?P<last>{EARLIER}|{LATER}))?"
)
_MEASURED = re.compile(
    r"(?P<verb>[a-z]+) (?:the |an? )?(?:(?:more|most)|(?P<less>less|least|fewer|fewest)|(?P<degree>[a-z]+(?:er|est)))"
    r"(?: (?P<of>[a-z][\w -]*))?"
)


@dataclass(frozen=True, slots=True)
class _Measure:
    """What is asked of each option: templates with ``{}`` in place of it, what they want, and which value wins."""

    templates: tuple[str, ...]
    attribute: Attribute
    wins: Wins
    expects: Expected
    head: str = ""
    chain: str = ""


def compared(draft: Draft) -> Comparison | None:
    """The comparison of a masked question about two options, its hops in the draft; None if it is none or not sure."""
    text = draft.text[:1].lower() + draft.text[1:]
    if match := _THAN.fullmatch(text):
        rest = match["rest"] + {"than": "", "before": " earlier", "after": " later"}[match["than"]]
        measure = _measure(rest if match["aux"] in DO else f"{match['aux']} {rest}", match["aux"])
        return _planned(draft, match, measure, asked=True)
    if match := _ASKING.fullmatch(text):
        either = match["link"] == "or"
        return _planned(draft, match, _measure(match["rest"], match["aux"]) if either else _of_both(match), not either)
    match = _LEADING.fullmatch(text) or _TRAILING.fullmatch(text)
    if match is None:
        return None
    lead = f"{match.groupdict().get('which') or ''} {match['lead']}".strip(" ,:")
    if subject := _LEAD.match(lead):
        noun = singular((subject["noun"] or " ").split(" ")[-1])
        if measure := _measure(subject["rest"], "", "person" if lead.startswith("who ") else noun):
            return _planned(draft, match, measure)
    sides = [re.fullmatch(r"(?:the )?(?:[a-z]+ )?\{(\d+)\}", match[name]) for name in "ab"]
    if match["link"] != "or" or sides[0] is None or sides[1] is None or sides[0][1] == sides[1][1]:
        return None
    draft.add(draft.text, "any")
    return Comparison((int(sides[0][1]), int(sides[1][1])), (), (), "text", "which")


def _planned(draft: Draft, match: re.Match[str], measure: _Measure | None, asked: bool = False) -> Comparison | None:
    """The hops to each option, and those to what is compared of each."""
    options = [_option(draft, match[name]) for name in "ab"] if measure else [""]
    if measure is None or "" in options or options[0] == options[1]:
        return None
    values = []
    for option in options:
        subject = phrase_hop(draft, measure.chain, option) if measure.chain else option
        texts = [template.replace("{}", subject) for template in measure.templates]
        values.append(tuple(_number(draft.add(text, measure.expects, measure.head)) for text in texts))
    slots = (_number(options[0]), _number(options[1]))
    return Comparison(slots, values[0], values[1], measure.attribute, measure.wins, asked)


def _number(slot: str) -> int:
    return int(slot[slot.rindex("{") + 1 : -1])


def _option(draft: Draft, side: str) -> str:
    """The slot of an option, which may take hops of its own ("the director of {0}"); empty where that is not sure."""
    draft.text = side
    reduce(draft)
    if option := re.fullmatch(r"(?:(?:the )?[a-z]+s )?((?:the )?(?:[a-z]+ )?\{\d+\})", draft.text):
        return option[1]
    phrase = re.fullmatch(r"(?:the )?([a-z][\w -]*?) of ([a-z ]*\{\d+\})", draft.text)
    return phrase_hop(draft, phrase[1], phrase[2]) if phrase and words.leads_on(phrase[1].split()[-1]) else ""


def _measure(rest: str, aux: str, noun: str = "") -> _Measure | None:
    """What is compared, by the words behind a question's subject; ``noun`` is the sort of thing, where it is given."""
    rest = re.sub(r",? of the two$| than the other$", "", rest.strip(" ,:?"))
    if (chain := _CHAIN.fullmatch(rest)) and words.leads_on(chain["noun"]):
        of = _measure(chain["rest"], "", chain["noun"])
        return replace(of, chain=chain["noun"]) if of and not of.chain else None
    if match := _AGE.fullmatch(rest):
        verb = "born" if noun_class(noun) == "person" or aux else words.MADE.get(noun, "founded")
        return _Measure((f"When was {{}} {verb}",), "date", "earlier" if match["old"] else "later", "date")
    if match := _LIVED.fullmatch(rest):
        wins: Wins = "less" if match["more"] == "short" else "more"
        return _Measure(("When was {} born", "When did {} die"), "lifespan", wins, "date")
    return _timed(rest, aux) or _measured(rest, aux)


def _timed(rest: str, aux: str) -> _Measure | None:
    """``was released first``, ``came out later``, ``first opened``."""
    match = _WHEN.fullmatch(rest)
    order = match and (match["last"] or match["order"])
    if match is None or not order or match["verb"] in words.AUXILIARIES | {"the", "to", "more", "most", "one", order}:
        return None
    verb, _, particle = match["verb"].partition(" ")
    passive = aux in BE or match["be"] or verb == "born"
    if passive and not is_participle(verb):
        return None
    done = match["verb"] if passive else f"{base(verb)} {particle}".strip()
    asked = f"When {'was' if passive else 'did'} {{}} {done}{match['more']}"
    return _Measure((asked,), "date", "earlier" if re.fullmatch(EARLIER, order) else "later", "date")


def _measured(rest: str, aux: str) -> _Measure | None:
    """``is taller``, ``has more members``, ``has the larger population``."""
    match = _MEASURED.fullmatch(rest)
    if match is None:
        return None
    verb, of, degree = match["verb"], match["of"] or "", positive(match["degree"] or "")
    asked = _quantity(verb, of, degree, aux)
    if not asked or of.startswith("or ") or not (of or verb in BE):
        return None
    wins: Wins = "less" if match["less"] or degree in words.OPPOSITES else "more"
    return _Measure((asked,), "number", wins, "number", of.split(" ")[-1])


def _quantity(verb: str, of: str, degree: str, aux: str) -> str:
    """The question for the quantity of one option; empty where it is none that a text states."""
    if verb in BE:  # "farther north" and "more likely to win" are none
        is_quantity = not of or not (degree or " " in of)
        return f"How {of or words.OPPOSITES.get(degree, degree)} is {{}}" if is_quantity else ""
    if degree or (verb in HAVE and noun_class(of) == "number"):
        return f"What is the {of} of {{}}"
    noun = of.split(" ")[-1]
    many = "many" if singular(noun) != noun else "much"
    did = "did" if verb == "had" or is_participle(verb) or aux == "did" else "does"
    return f"How {many} {of} {did} {{}} {base(verb)}"


def _of_both(match: re.Match[str]) -> _Measure | None:
    """What is asked of both, whether it is the same."""
    same = _SAME.fullmatch(match["rest"].replace("both ", "").strip(" ,"))
    chain = singular((match["chain"] or (same and same["chain"])) or "")
    if same is None or (chain and not words.leads_on(chain)):
        return None
    noun, preposition, verb = ((same[name] or "").strip() for name in ("noun", "prep", "verb"))
    head = noun.split()[-1]
    if preposition in ("", "of") and verb in ("", "have", "share"):
        asked = f"{'Who' if noun_class(head) == 'person' else 'What'} is the {noun} of {{}}"
    elif preposition == "from" and not verb:
        asked = f"Which {noun} is {{}} from"
    else:
        helps = "did" if match["aux"] in DO and verb else "was" if match["aux"] in ("was", "were") else "is"
        asked = f"{preposition} which {noun} {helps} {{}} {verb}"
    return _Measure((asked,), "date" if head == "year" else "text", "same", noun_class(head), head, chain)
