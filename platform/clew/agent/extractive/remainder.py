"""What remains of a question when its phrases are reduced: asked last, unless it only asks for what was found."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from clew.agent.extractive.answer_types import ANY
from clew.agent.extractive.lexicon import head_types, relations, vocabulary
from clew.agent.extractive.plan import Draft, Hop, Item, lower, sentence
from clew.agent.extractive.word_classes import QUESTION, has_verb
from clew.text.names import FUNCTION_WORDS

_TOWNS = frozenset("city town village birthplace borough municipality settlement".split())
_WITHIN = frozenset("in at on from during under".split())
_BECAME = frozenset("became become becomes".split())
_HELPING = frozenset("did does".split()) | _BECAME
_TRIVIAL = frozenset("who what where when is was are were the name of called named which one it".split())
_LEADING = frozenset("in during since before after under at on along besides".split())
"""Words that lead in a question: "during X, who was …"."""
_MORE = frozenset("and , that who which".split())
_MODIFYING = frozenset("in on at during before after since under for from with as".split())
_TEMPORAL = frozenset("during before after since".split())
_AGES = frozenset("era period reign".split())


def ask_last(draft: Draft) -> None:
    """What remains is asked last, unless it only asks who or what the last hop's answer is."""
    items = draft.items = _led_in_last(draft.items)
    slots = [x for x in items if isinstance(x, int)]
    rest = [w.lower() for w in items if isinstance(w, str) and w.lower() not in ("'s", "’s", ",", "'", "?", '"')]
    first = rest[0] if rest else ""
    if draft.hops and slots and min(slots) >= 0 and all(w in _TRIVIAL | _HELPING for w in _plain(rest)):
        wanted = {"where": ("place", "country", "organisation"), "when": ("date",)}.get(first)
        if first == "who" and draft.hops[-1].expects == ANY:
            draft.hops[-1] = replace(draft.hops[-1], expects="person")
        if first == "where" and (last := draft.hops[-1]).head == "office":
            draft.hops[-1] = replace(last, relation=relations()["located"], expects="place", head="")
        if wanted is None or draft.hops[-1].expects in wanted:
            when = rest[len(_plain(rest)) :]
            if (
                draft.hops[-1].target == slots[-1]
                and when
                and (draft.hops[-1].expects != "number" or when[-1].isdigit())
            ):
                draft.hops[-1] = replace(draft.hops[-1], template=f"{draft.hops[-1].template} {' '.join(when)}")
            return
    if _narrow(draft, rest) or _modified(draft) or _told_more(draft):
        return
    named_again = bool(draft.hops) and slots == [draft.hops[-1].target] and first in ("what", "which")
    if named_again and _repeats(rest, draft.hops[-1]):
        return
    noun = [w for w in rest if w not in _TRIVIAL and w not in ("became", "becomes")]
    same = named_again and len(noun) == 1 and head_types().get(noun[0]) == draft.hops[-1].expects
    if same and not _wider(noun[0], draft.hops[-1].head):
        draft.hops[-1] = replace(draft.hops[-1], head=noun[0])
        return
    made_by = draft.hops and draft.hops[-1].head in vocabulary("written_parts") and draft.hops[-1].expects == "person"
    if made_by and first == "who" and slots == [draft.hops[-1].target] and len(rest) == 2:
        return
    if not slots and (len(rest) < 2 or not any(w.isalpha() and w not in FUNCTION_WORDS for w in rest)):
        return  # "Hello", "What is 2+2?"
    _inline(draft)
    found = {hop.target for hop in draft.hops}
    slots = sorted((x for x in items if isinstance(x, int)), key=lambda slot: slot not in found)
    words = [word for x in items for word in draft.words(x)]
    target = draft.add(sentence(items), slots, [w for w in words if w not in ("?", '"')])
    if draft.hops[-1].relation is None and (first == "where" or same):
        hop = draft.hops.pop()
        draft.hops.append(
            Hop(hop.template, hop.slots, target, relations()["located"], hop.expects, hop.head, hop.others)
        )


def _wider(noun: str, head: str) -> bool:
    """Whether what remains asks in what the place lies that was found: "what county is | the city where …"."""
    return noun in vocabulary("containers") and head in _TOWNS


def _narrow(draft: Draft, rest: Sequence[str]) -> bool:
    """Move *in Y* into the hop that it belongs to: "what is | the population of X | in the state where …"."""
    items = draft.items
    slots = [x for x in items if isinstance(x, int)]
    hops = {hop.target: hop for hop in draft.hops}
    asked = [x for x in slots if x in hops and lower(items, items.index(x) - 1) not in _WITHIN]
    others = [x for x in slots if x not in asked]
    if len(slots) != 2 or len(asked) != 1 or others[0] < 0:
        return False
    word = lower(items, items.index(others[0]) - 1)
    if word not in _WITHIN or not all(w in _TRIVIAL or w == word for w in rest):
        return False
    hop = hops[asked[0]]
    if not hop.slots or others[0] in (*hop.slots, *hop.others):
        return False
    draft.hops.remove(hop)
    template = f"{hop.template} {word} {{{others[0]}}}"
    draft.hops.append(replace(hop, template=template, others=(*hop.others, others[0])))
    return True


def _led_in_last(items: list[Item]) -> list[Item]:
    """The items with what leads in the question at its end: "during X, who was Y" as "who was Y during X"."""
    comma = led_in_to(items, _LEADING)
    return [*items[comma + 1 :], *items[:comma]] if comma else items


def led_in_to(items: Sequence[Item], leading: frozenset[str]) -> int:
    """Where the comma stands up to which one of the words ``leading`` leads in a question; 0 where none does."""
    comma = next((i for i, item in enumerate(items) if item == ","), 0)
    led = comma and lower(items, 0) in leading and lower(items, comma + 1) in QUESTION
    return comma if led else 0


def _modified(draft: Draft) -> bool:
    """Move what only modifies into the hop that it modifies: "who was | the mother of the pilot of X | in the race to
    Y". A time is that of what is asked last, anything else belongs to the innermost phrase, behind which it stands."""
    items = draft.items
    at = next((i for i, item in enumerate(items) if isinstance(item, int)), -1)
    tail = items[at + 1 :]
    trivial = all(lower(items, i) in _TRIVIAL for i in range(at)) and lower(items, 0) in ("who", "what", "which")
    if at < 1 or not trivial or len(tail) < 2 or lower(tail, 0) not in _MODIFYING or has_verb(tail, 0):
        return False
    hops = {hop.target: hop for hop in draft.hops}
    hop, others = hops.get(int(items[at])), tuple(x for x in tail if isinstance(x, int))
    if hop is None or any(x < 0 or x in (*hop.slots, *hop.others) for x in others):
        return False
    timed = lower(tail, 0) in _TEMPORAL or lower(tail, 1).isdigit()
    while not timed and not hops.keys() & set(others) and hop.slots and hop.slots[0] in hops:
        hop = hops[hop.slots[0]]
    whole = replace(hop, template=f"{hop.template} {sentence(tail)}", others=(*hop.others, *others))
    draft.hops[draft.hops.index(hop)] = whole
    return True


def _told_more(draft: Draft) -> bool:
    """Move what is told besides into the last hop, where only its answer is sought: "who was | the son of X | and was
    a keeper", "what is | the film that X made | , which failed"."""
    items = draft.items
    at = next((i for i, item in enumerate(items) if isinstance(item, int)), 0)
    joining = lower(items, at + 1)
    if not draft.hops or at < 2 or items[at] != draft.hops[-1].target or joining not in _MORE:
        return False
    asking = lower(items, 0) in ("who", "what", "which")
    if not asking or any(lower(items, i) not in _TRIVIAL | {"this"} for i in range(at)) or at + 3 > len(items):
        return False
    rest = items[at + 1 :]
    if lower(rest, len(rest) - 1) in ("as", "called", "named") or {lower(rest, 1), joining} & {"called", "named"}:
        return False  # "what was X, formerly known as"
    hop = draft.hops[-1]
    slots = tuple(x for x in rest if isinstance(x, int) and x >= 0 and x not in (*hop.slots, *hop.others))
    template = f"{hop.template} {sentence(rest)}".replace(" ,", ",")
    draft.hops[-1] = replace(hop, template=template, others=(*hop.others, *slots))
    return True


def _inline(draft: Draft) -> None:
    """Give up the hops for a number or an age of history: nothing more is asked of either, so that *the population of
    X* in the middle of a question is a part of what is told of X."""
    items = draft.items
    while hop := next((h for h in draft.hops if h.slots and (h.expects == "number" or h.head in _AGES)), None):
        draft.hops.remove(hop)
        draft.hops = [_holding(later, hop) for later in draft.hops]
        if hop.target in items:
            at = items.index(hop.target)
            items[at : at + 1] = [
                int(word[1:-1]) if word.startswith("{") else word for word in ("the", *hop.template.split())
            ]


def _holding(later: Hop, hop: Hop) -> Hop:
    """A later hop with the words of another one in the place of its slot."""
    slots = (*later.slots, *later.others)
    if hop.target not in slots:
        return later
    held = (*hop.slots, *hop.others)
    slots = tuple(dict.fromkeys(x for slot in slots for x in (held if slot == hop.target else (slot,))))
    template = later.template.replace(f"{{{hop.target}}}", hop.template)
    return replace(later, template=template, slots=slots[:1], others=slots[1:])


def _plain(rest: Sequence[str]) -> Sequence[str]:
    """What remains without the year or the measure that it ends with: "in 2009", "by population"."""
    measured = len(rest) > 2 and (rest[-2:] == ["by", "population"] or (rest[-2] == "in" and rest[-1].isdigit()))
    return rest[:-2] if measured else rest


def _repeats(rest: Sequence[str], hop: Hop) -> bool:
    """Whether what remains only names again what the last hop looked up: "which language is the language of X"."""
    noun = {w for w in rest if w not in _TRIVIAL}
    return bool(noun) and noun <= set(hop.template.lower().split()) and "be" not in noun
