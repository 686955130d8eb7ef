"""Questions about two options: which of them is older, larger or the first, and whether something holds of both."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from clew.questions.plan import Attribute, Comparison, Expected, Wins
from clew.questions.reduce import Draft, phrase_hop, reduce
from clew.questions.words import (
    AUXILIARIES,
    BE,
    DO,
    EARLIER,
    HAVE,
    LATER,
    MADE,
    OPPOSITES,
    base,
    is_participle,
    leads_on,
    noun_class,
    positive,
    singular,
)

_AUX = r"(?P<aux>was|were|is|are|did|does|do|has|have)"
_WORD = (
    r"(?!(?:is|are|was|were|has|have|had|do|does|did|born|died|came|out|first|last|later|earlier|older|younger|longer|"
    r"more|less|than|between|among|both|and|or|who|which|what)\b)[\w'’-]+"
)
"""A word that may stand before an option's name."""
_SIDE = rf"(?:{_WORD} ){{0,6}}?\{{\d+\}}(?:['’]s(?: [\w-]+){{1,3}}?)?"
_PAIR = rf"(?P<a>{_SIDE}),? (?P<link>or|and) (?:the )?(?P<b>{_SIDE})"
_OF = _PAIR.replace("<", "<of_")
_COMMON = re.compile(
    rf"(?:what|which) (?:(?P<noun>[a-z]+) |.*?)(?:do|does|did|are|is|have) (?:both )?(?:the )?{_PAIR} "
    r"(?:both )?(?:have in common|share|in common)(?: .*)?"
)
_BOTH_WHAT = re.compile(rf"{_PAIR} (?:are|were) both what\b(?P<noun>).*")
_THAN = re.compile(
    rf"{_AUX} (?P<a>{_SIDE}) (?P<rest>(?:(?:born|die|\w+ed) )?(?:\w+er|more|less)\b[^{{}}]*? (?=than)|[^{{}}]+ )"
    rf"(?P<than>than|before|after) (?P<b>{_SIDE})(?: (?:was|is|did|does|do|were|are))?"
)
_ASKING = re.compile(rf"{_AUX} (?:the )?{_PAIR} (?P<rest>.+)")
_LEADING = re.compile(
    rf"(?:(?:between|among|of|out of) {_PAIR},? (?=wh)|(?P<which>who|which|what) of {_OF} )"
    r"(?P<lead>.+)"
)
_TRAILING = re.compile(
    r"(?P<lead>(?:who|which|what|whose|of the two|in which|when)\b.*?)(?:,|:| -| –)? "
    rf"(?:\b(?:between|among|out of|of)\b )?(?:the )?{_PAIR}"
)
_BOTH = re.compile(
    rf"{_AUX} (?:both |the )*(?:(?P<chain>[a-z]+s) of )?(?:the )?(?:[a-z]+(?: [a-z]+)?[,:]? )??{_PAIR},? (?P<rest>.+)"
)
_SAME = re.compile(
    r"(?:have |share )?(?:(?:the|their) (?P<chain>[a-z]+?)s? )?(?P<verb>[a-z]+ )??"
    r"(?P<prep>in |from |on |at |of |to |for |by )?the same (?P<noun>[a-z][\w -]*)"
)
_LEAD = re.compile(
    r"(?:who|which(?: (?:one|of the two|of these))?|what)(?: (?P<noun>(?!(?:is|was|has|have|had|are|were|did)\b)"
    r"[a-z][\w -]*?))?,? (?P<rest>(?:is|was|has|have|had|are|were|came|won|with|whose|[a-z]+ed|[a-z]+s)\b.*)"
)
_CHAIN = re.compile(
    r"(?:.+? )??(?:(?:has|have|had|with) (?:the|a|an)|whose) (?P<noun>[a-z]+)(?: who| that)? (?P<rest>.+)"
)
_DEGREE_OF = re.compile(r"(?:has|have|had|with) (?:the |an? )?(?:more|less|[a-z]+(?:er|est)) (?!who\b|is\b|was\b)")
_AGE = re.compile(r"(?:(?:is|are|was|were) )?(?:the )?(?:(?P<old>old|eld)|young|new)(?:er|est)(?: one)?")
_LIVED = re.compile(
    r"(?:lived (?:for )?|has |had )(?:an? |the )?(?P<more>long|short)(?:er|est)(?: life(?: ?span)?| time)?"
)
_WHEN = re.compile(
    rf"(?:(?P<be>is|are|was|were) )?(?:the )?(?:(?P<order>{EARLIER}|{LATER}) (?:to be |to )?)?"
    rf"(?P<verb>[a-z]+(?: (?:out|up|down|on|off))?)(?P<more>(?: [a-z]+){{0,3}}?)"
    rf"(?: (?:the )?(?P<last>{EARLIER}|{LATER}))?"
)
_MEASURED = re.compile(
    r"(?P<verb>[a-z]+) (?:the |an? )?(?P<degree>more|most|less|least|[a-z]+(?:er|est))(?: (?P<of>[a-z][\w -]*))?"
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
    if match := _COMMON.fullmatch(text) or _BOTH_WHAT.fullmatch(text):
        asked = f"What is the {match['noun']} of {{}}" if match["noun"] else "What is {}"
        return _planned(draft, match, _Measure((asked,), "text", "common", "any"))
    if match := _THAN.fullmatch(text):
        rest = match["rest"].strip()
        rest += {"than": "", "before": " earlier", "after": " later"}[match["than"]]
        measure = _measure(rest if match["aux"] in DO else f"{match['aux']} {rest}", match["aux"])
        return _planned(draft, match, measure, asked=True)
    if (match := _ASKING.fullmatch(text)) and match["link"] == "or":
        return _planned(draft, match, _measure(match["rest"], match["aux"]))
    if (match := _BOTH.fullmatch(text)) and match["link"] == "and" and (measure := _of_both(match)):
        return _planned(draft, match, measure, asked=True)
    return _choice(draft, text)


def _choice(draft: Draft, text: str) -> Comparison | None:
    """``Which N is older, A or B``, ``Between A and B, which is older``, ``Which of A and B is older``."""
    match = _LEADING.fullmatch(text) or _TRAILING.fullmatch(text)
    if match is None:
        return None
    groups = match.groupdict()
    which = groups.get("which")
    lead = f"{which} {match['lead']}" if which else match["lead"].strip(" ,:")
    if subject := _LEAD.match(lead):
        noun = singular((subject["noun"] or "").split()[-1]) if subject["noun"] else ""
        if measure := _measure(subject["rest"], "", "person" if lead.startswith("who ") else noun):
            return _planned(draft, match, measure)
    sides = [re.fullmatch(r"(?:the )?(?:[a-z]+ )?\{(\d+)\}", groups[name] or "") for name in "ab"]
    if groups["link"] != "or" or sides[0] is None or sides[1] is None or sides[0][1] == sides[1][1]:
        return None
    draft.add(draft.text, "any")
    return Comparison((int(sides[0][1]), int(sides[1][1])), (), (), "text", "which")


def _planned(draft: Draft, match: re.Match[str], measure: _Measure | None, asked: bool = False) -> Comparison | None:
    """The hops to each option, and those to what is compared of each."""
    if measure is None:
        return None
    groups = match.groupdict()
    options = [_option(draft, groups[name] or groups[f"of_{name}"]) for name in "ab"]
    if "" in options or options[0] == options[1]:
        return None
    values = []
    for option in options:
        subject = phrase_hop(draft, measure.chain, option) if measure.chain else option
        texts = [template.replace("{}", subject) for template in measure.templates]
        values.append(tuple(int(draft.add(text, measure.expects, measure.head)[1:-1]) for text in texts))
    first, second = (int(option[1:-1]) for option in options)
    return Comparison((first, second), values[0], values[1], measure.attribute, measure.wins, asked)


def _option(draft: Draft, side: str) -> str:
    """The slot of an option, which may take hops of its own ("the director of {0}"); empty where that is not sure."""
    draft.text = side
    reduce(draft)
    if slot := re.fullmatch(r"(?:the )?(?:[a-z]+ )?(\{\d+\})", draft.text):
        return slot[1]
    phrase = re.fullmatch(r"(?:the )?([a-z][\w -]*) of (\{\d+\})", draft.text)
    return phrase_hop(draft, phrase[1], phrase[2]) if phrase and leads_on(phrase[1].split()[-1]) else ""


def _measure(rest: str, aux: str, noun: str = "") -> _Measure | None:
    """What is compared, by the words behind a question's subject; ``noun`` is the sort of thing, where it is told."""
    rest = re.sub(r",? of the two$| than the other(?: one)?$", "", rest.strip(" ,:?"))
    chain = _CHAIN.fullmatch(rest)
    if chain and leads_on(chain["noun"]) and not _DEGREE_OF.match(rest):
        of = _measure(chain["rest"], "", chain["noun"])
        return replace(of, chain=chain["noun"]) if of and not of.chain else None
    if match := _AGE.fullmatch(rest):
        verb = "born" if noun_class(noun) == "person" else MADE.get(noun, "founded")
        return _dated(f"was {{}} {verb}", "earlier" if match["old"] else "later")
    if match := _LIVED.fullmatch(rest):
        wins: Wins = "less" if match["more"] == "short" else "more"
        return _Measure(("When was {} born", "When did {} die"), "lifespan", wins, "date")
    return _timed(rest, aux) or _measured(rest, aux)


def _timed(rest: str, aux: str) -> _Measure | None:
    """``was released first``, ``came out later``, ``first opened``."""
    match = _WHEN.fullmatch(rest)
    order = match and (match["last"] or match["order"])
    if match is None or not order or match["verb"] in AUXILIARIES | {"the", "to", "more", "most", "one", order}:
        return None
    wins: Wins = "earlier" if re.fullmatch(EARLIER, order) else "later"
    verb, _, particle = match["verb"].partition(" ")
    if aux in BE or match["be"] or verb == "born":
        return _dated(f"was {{}} {match['verb']}{match['more']}", wins) if is_participle(verb) else None
    return _dated(f"did {{}} {f'{base(verb)} {particle}'.strip()}{match['more']}", wins)


def _dated(asked: str, wins: Wins) -> _Measure:
    return _Measure((f"When {asked}",), "date", wins, "date")


def _measured(rest: str, aux: str) -> _Measure | None:
    """``is taller``, ``has more members``, ``has the larger population``."""
    match = _MEASURED.fullmatch(rest)
    if match is None:
        return None
    verb, degree, of = match["verb"], match["degree"], match["of"] or ""
    counted = degree in ("more", "most", "less", "least", "fewer", "fewest")
    less = degree in ("less", "least", "fewer", "fewest") or positive(degree) in OPPOSITES
    head = of.split()[-1] if of else ""
    if verb in BE:
        # "farther north" is no quantity that a text tells.
        asked = (
            ""
            if of and (not counted or " " in of)
            else f"How {of or OPPOSITES.get(positive(degree), positive(degree))} is {{}}"
        )
    elif not counted or (verb in HAVE and noun_class(of) == "number"):
        asked = f"What is the {of} of {{}}" if of else ""
    else:
        past = verb == "had" or is_participle(verb) or aux == "did"
        many = "many" if singular(head) != head else "much"
        asked = f"How {many} {of} {'did' if past else 'does'} {{}} {base(verb)}" if of else ""
    return _Measure((asked,), "number", "less" if less else "more", "number", head) if asked else None


def _of_both(match: re.Match[str]) -> _Measure | None:
    """What is asked of both: the same country, or whether each is something."""
    aux, rest = match["aux"], re.sub(r"\bboth ", "", match["rest"].strip(" ,"))
    chain = singular(match["chain"] or "")
    if match["a"] in rest or match["b"] in rest or (chain and not leads_on(chain)):
        return None
    if same := _SAME.fullmatch(rest):
        noun, preposition, verb = (same[name].strip() if same[name] else "" for name in ("noun", "prep", "verb"))
        head = noun.split()[-1]
        if preposition in ("", "of") and verb in ("", "have", "share"):
            asked = f"{'Who' if noun_class(head) == 'person' else 'What'} is the {noun} of {{}}"
        elif preposition == "from" and not verb:
            asked = f"Which {noun} is {{}} from"
        else:
            helps = "did" if aux in DO and verb else "was" if aux in ("was", "were") else "is"
            asked = f"{preposition} which {noun} {helps} {{}} {verb}"
        attribute: Attribute = "date" if head == "year" else "text"
        return _Measure((asked,), attribute, "same", noun_class(head), head, chain or singular(same["chain"] or ""))
    if chain or "both" not in match.group():
        return None
    words = rest.split()
    if aux in BE and singular(words[-1]) != words[-1] and not is_participle(words[0]) and len(words) <= 4:
        rest = f"{'an' if words[0][0] in 'aeiou' else 'a'} {' '.join([*words[:-1], singular(words[-1])])}"
    verb = {"are": "is", "were": "was", "do": "does", "have": "has"}.get(aux, aux)
    return _Measure((f"{verb} {{}} {rest}",), "truth", "both", "yes/no")
