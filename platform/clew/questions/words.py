"""The words of English that the grammar of questions rests on: question words, relatives, and classes of nouns."""

from __future__ import annotations

import re

from clew.questions.plan import Expected

BE = frozenset("is are was were".split())
DO = frozenset("do does did".split())
AUXILIARIES = BE | DO | frozenset("has have had can could will would should may might must".split())
QUESTION_WORDS = frozenset("who whom whose what which where when why how".split())
PREPOSITIONS = frozenset(
    "of in on at by from for to with near within under after before between into during about as".split()
)

KIN: dict[str, tuple[str, ...]] = {
    **{f"{sex}grandfather": (parent, "father") for sex, parent in (("paternal ", "father"), ("maternal ", "mother"))},
    **{f"{sex}grandmother": (parent, "mother") for sex, parent in (("paternal ", "father"), ("maternal ", "mother"))},
    "paternal uncle": ("father", "brother"),
    "maternal uncle": ("mother", "brother"),
    "paternal aunt": ("father", "sister"),
    "maternal aunt": ("mother", "sister"),
    "father-in-law": ("spouse", "father"),
    "mother-in-law": ("spouse", "mother"),
    "parent-in-law": ("spouse", "parent"),
    "son-in-law": ("daughter", "husband"),
    "daughter-in-law": ("son", "wife"),
    "child-in-law": ("child", "spouse"),
    "sibling-in-law": ("sibling", "spouse"),
    "co-husband": ("wife", "husband"),
    "co-wife": ("husband", "wife"),
    "stepfather": ("mother", "husband"),
    "stepmother": ("father", "wife"),
    "nephew": ("sibling", "son"),
    "niece": ("sibling", "daughter"),
    "grandson": ("child", "son"),
    "granddaughter": ("child", "daughter"),
    "grandchild": ("child", "child"),
}
"""Relatives by way of another one: a paternal grandfather is the father of the father."""

ASKED_DIRECTLY = {
    "place of birth": ("Where was", "born"),
    "birthplace": ("Where was", "born"),
    "birth place": ("Where was", "born"),
    "date of birth": ("When was", "born"),
    "birth date": ("When was", "born"),
    "birthday": ("When was", "born"),
    "year of birth": ("In which year was", "born"),
    "place of death": ("Where did", "die"),
    "date of death": ("When did", "die"),
    "death date": ("When did", "die"),
    "year of death": ("In which year did", "die"),
    "place of burial": ("Where was", "buried"),
}
"""Nouns of birth and death, and how the same is asked with a verb."""

_PERSONS = frozenset(
    """
    person man woman people child son daughter father mother brother sister sibling parent husband wife spouse partner
    uncle aunt cousin king queen prince princess emperor empress pope saint president premier captain pilot chief head
    governor mayor judge author architect actress host hostess coach guest friend student pupil heir boss cast crew
    model poet chef knight duke duchess count countess lord lady boy girl hero heroine widow widower champion
    """.split()
)
_PLACES = frozenset(
    """
    place city town village country nation county state province region district island continent location river lake
    sea ocean mountain capital seat territory neighbourhood neighborhood street municipality area borough hometown
    headquarters birthplace parish kingdom venue stadium site peninsula valley desert harbour port planet building
    """.split()
)
_ORGANISATIONS = frozenset(
    """
    company corporation organisation organization team club school university college institution band group league
    party agency network label studio bank firm brand church museum association federation union airline board station
    publisher employer government army record conference division
    """.split()
)
_DATES = frozenset("date day month birthday century decade season time".split())
_NUMBERS = frozenset(
    """
    population number height length width depth age size weight price cost amount percentage rate density enrollment
    revenue salary budget score distance speed temperature capacity total sum fee term duration quantity
    """.split()
)
_WORKS = frozenset(
    """
    film movie song album book novel play series show opera poem ship language currency religion genre sequel source
    magazine newspaper award prize game mouth anthem
    """.split()
)
"""Nouns of things, and of what one thing is to another, that a further question may be asked of."""
_NO_PERSONS = frozenset(
    """
    river number tower order chapter member power water center computer newspaper character paper letter summer winter
    chamber corner weather layer quarter border motor factor sector colour color floor door theater officer matter
    error mirror tenor minor major other computer user series amber timber cover chapter river area era
    """.split()
)
_PERSON_ENDING = re.compile(r"(?:er|or|ist|ian|man|woman|ess|ant|eer)\Z")


_PLURALS = {"children": "child", "men": "man", "women": "woman", "wives": "wife", "cities": "city"}
TERRITORIES = frozenset("island city town village county state province kingdom republic district region".split())
"""Nouns that are apposed to a name with *of*: "the island of Merrow"."""


def singular(noun: str) -> str:
    """A noun in lower case without the ending of its plural, as far as that can be told from its letters."""
    word = noun.lower()
    if word in _PLURALS:
        return _PLURALS[word]
    if word.endswith("ies") and len(word) > 4 and word not in ("series", "movies"):
        return word[:-3] + "y"
    if word.endswith("s") and not word.endswith(("ss", "us", "is", "series")) and len(word) > 3:
        return word[:-1]
    return word


def noun_class(noun: str) -> Expected:
    """What sort of thing a noun names; ``any`` where that cannot be told."""
    word = singular(noun)
    if word == "year":
        return "year"
    for names, expected in ((_DATES, "date"), (_NUMBERS, "number"), (_PLACES, "place"), (_ORGANISATIONS, "organisation")):
        if word in names or noun.lower() in names:
            return expected  # type: ignore[return-value]
    if word in _PERSONS or word.rsplit("-", 1)[-1] in ("father", "mother", "law", "wife", "husband"):
        return "person"
    if word.startswith(("grand", "step")) and len(word) > 7:
        return "person"
    if word in _WORKS or word in _NO_PERSONS:
        return "any"
    return "person" if len(word) > 4 and _PERSON_ENDING.search(word) else "any"


def leads_on(noun: str) -> bool:
    """Whether what a noun names is a thing of its own, of which more can be asked: an author, a capital, a film."""
    return noun_class(noun) in ("person", "place", "organisation") or singular(noun) in _WORKS


IRREGULAR = dict(
    pair.split(":")
    for pair in """
    died:die wrote:write made:make won:win led:lead sang:sing built:build held:hold became:become began:begin took:take
    grew:grow went:go gave:give sold:sell bought:buy taught:teach fought:fight found:find left:leave met:meet came:come
    ran:run rose:rise fell:fall drew:draw lost:lose spoke:speak sat:sit stood:stand kept:keep got:get had:have said:say
    flew:fly drove:drive chose:choose played:play lay:lie bore:bear wore:wear owed:owe used:use has:have
    """.split()
)
"""Past forms of verbs that no rule of spelling undoes."""

PARTICIPLES = frozenset(
    """
    born made built written held sung known won found led given sold taught shot drawn run cast set kept worn spoken
    bought fought lost taken seen left stolen struck lit hung begun grown thrown chosen driven flown hidden buried
    """.split()
)


def is_participle(word: str) -> bool:
    """Whether a word can follow *was*: *founded*, *born*."""
    return word in PARTICIPLES or (word.endswith("ed") and len(word) > 3)


def base(verb: str) -> str:
    """A verb as it stands after *did*: *die* of *died*, *carry* of *carried*, *lie* of *lies*."""
    if verb in IRREGULAR:
        return IRREGULAR[verb]
    if verb.endswith("ied"):
        return verb[:-3] + "y"
    if verb.endswith("ed") and len(verb) > 3:
        stem = verb[:-2]
        if len(stem) > 2 and stem[-1] == stem[-2] and stem[-1] not in "sl":
            return stem[:-1]
        short = re.fullmatch(r"[^aeiou]*[aeiou][^aeiouwxy]", stem)
        return stem + "e" if short or re.search(r"(?:at|[vczu]|[^s]s|dg|[aeiou]r)\Z", stem) else stem
    if verb.endswith("ies"):
        return verb[:-1] if len(verb) == 4 else verb[:-3] + "y"
    if verb.endswith(("sses", "shes", "ches", "xes")):
        return verb[:-2]
    return verb[:-1] if verb.endswith("s") and not verb.endswith("ss") else verb
