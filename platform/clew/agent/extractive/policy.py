"""The policy that needs no model: each turn is one hop of the question, read off what the last query brought."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from clew.agent.abstain import UNKNOWN, is_unknown
from clew.agent.conversation import Exchange, recent
from clew.agent.extractive.anchors import ASKING
from clew.agent.extractive.compare import decide
from clew.agent.extractive.cues import COUPLE
from clew.agent.extractive.definitions import fits
from clew.agent.extractive.evidence import Evidence, Sentence
from clew.agent.extractive.followup import in_full, unnamed
from clew.agent.extractive.found import Found, Path
from clew.agent.extractive.joined import both
from clew.agent.extractive.kin_words import is_personal, kin_sought
from clew.agent.extractive.lexicon import key
from clew.agent.extractive.nameless import look_beside
from clew.agent.extractive.pairs import WHICH, either
from clew.agent.extractive.places import is_known
from clew.agent.extractive.plan import WHOLE, YES_NO, Hop, Plan
from clew.agent.extractive.planning import make_plan
from clew.agent.extractive.score import ON_THE_MAP, WEIGHTS
from clew.agent.extractive.search import contained, search
from clew.agent.extractive.whole import COVERED, Reading, read_whole
from clew.agent.extractive.word_classes import RELATIVE
from clew.agent.policy import Turn
from clew.agent.protocol import DIALECTS, Dialect
from clew.types import Step

THIN = 2.0
"""Score below which the value of a question of one hop is not believed.

Set without looking at any answer, like the next two: questions of one set were asked of the documents of another,
where nearly all are unanswerable, so that at most one in ten of them gets an answer.
"""
CHAINED = 2.0
"""What a value may score less where there are several hops: a bridge that leads on has the next hop as its witness."""
UNNAMED = 5.0
"""Score below which nothing is believed where nothing that was found mentions one of the question's names."""
WEAK = 3.5
"""Score of a hop below which the question is also looked up as a whole."""
SURE = 5.0
"""Score from which a thought states a value without reservation."""
STRONG = 5.5
"""Score of a hop from which its value is believed without asking for it, once its subject has been asked about."""


ENOUGH = 6
"""Queries after which no more is asked for only to cite it."""
LONGEST_QUERY = 300
"""Characters of a query, at most."""
SHOWN = 5
"""Titles that are named of what was looked at in vain, at most."""


TOLD_BESIDE = 5.0
"""Score from which a sentence is believed that does not name whom the question is asked of."""
HELD = 3.5
"""The same for a guess at a question that is one known relation, of whose words the question as a whole knows less."""
UNCUED = 1.0
"""What a value has to score more where no word of the question leads to it."""
UNTOLD = 3.0
"""The same where the relation is a known one, which has many words, and none of them does."""
MAPPED = WEIGHTS["type"] * ON_THE_MAP
"""What being on the map is worth in a score, which tells what a name is, and nothing of whom the sentence speaks."""
UNTOLD_KIN = 6.0
"""The same for relations between relatives: who else a page names is mostly another one of them."""
UNTOLD_COUPLE = 8.5
"""The same for a couple, which standing together alone speaks for, as it does for brother and sister."""
UNSAID = 12.0
"""The same for a date or a number whose sentence has not one word of what is asked."""


@dataclass(frozen=True, slots=True)
class _Ask:
    """A query, why it is sent, and how many hops are known before it."""

    query: str
    why: str
    known: int


@dataclass(frozen=True, slots=True)
class _Said:
    """A turn: its thought, and either a query or an answer."""

    thought: str
    query: str = ""
    answer: str = ""
    unsure: bool = False


class ExtractivePolicy:
    """Takes the question apart, asks for one hop a turn with the bridge filled in, and answers with what was read.

    No answer depends on the calls before: all follows from the question and the steps. What it says rests on retrieved
    sentences alone, named as ``[n]``; where they are thin, it says that it does not know, and what it looked at. With
    ``guess`` it then names the likeliest value all the same, and its turn is ``unsure``.
    """

    def __init__(self, dialect: Dialect = DIALECTS["graph-r1"], thin: float = THIN, *, guess: bool = False) -> None:
        self.dialect = dialect
        self.thin = thin
        self.guess = guess
        self.name = "extractive-guess" if guess else "extractive"

    def restate(self, question: str, history: Sequence[Exchange]) -> str:
        """The question with the names that it leaves to earlier exchanges: see ``followup.in_full``."""
        return in_full(question, recent(history))

    def act(
        self,
        question: str,
        steps: Sequence[Step],
        *,
        final: bool = False,
        correction: str = "",
        emit: Callable[[str], None] | None = None,
    ) -> Turn:
        """The next turn: a query for the first hop that is still open, else the answer; corrections change nothing."""
        evidence = Evidence(steps, self.dialect)
        said = self._both(*two, evidence, final) if (two := both(question)) else self._turn(question, evidence, final)
        text = self.dialect.render_turn(said.thought, query=said.query, answer=said.answer or None)
        if emit is not None:
            emit(text)
        return Turn(text, unsure=said.unsure)

    def _both(self, first: str, second: str, evidence: Evidence, final: bool) -> _Said:
        """The next turn for two questions, of which the second may speak of the first or of its answer."""
        one = self._turn(first, evidence, final)
        if one.query:
            return one
        found = "" if is_unknown(one.answer) else one.answer
        two = self._turn(in_full(second, [(first, found)]), evidence, final)
        if two.query:
            return two
        answers = dict.fromkeys(answer for answer in (one.answer, two.answer) if not is_unknown(answer))
        thought = f"{one.thought} {two.thought}"
        return _Said(thought, answer="; ".join(answers) or UNKNOWN, unsure=one.unsure or two.unsure)

    def _turn(self, question: str, evidence: Evidence, final: bool) -> _Said:
        """The next turn for one question."""
        plan, path = _solve(make_plan(question, evidence), evidence)
        # A single document has nobody else whom "she" could mean.
        pronoun = unnamed(question) if len(evidence.pages) > 1 else ""
        if pronoun and not self.guess:
            thought = f"The question says “{pronoun}”, but not whom or what it means. Ask again with the name."
            return _Said(thought, answer=UNKNOWN)
        ask = None if final else self._next(plan, path, evidence) or self._wording(plan, path, evidence)
        if ask:
            thought = f"{_account(plan.hops[: ask.known], path)} {ask.why}"
            return _Said(f"{_taken(plan)} {thought.strip()}".strip(), query=ask.query)
        thought, answer = self._conclude(plan, path, evidence)
        likeliest = _likeliest(plan, path, evidence) if self.guess and is_unknown(answer) else None
        if likeliest:
            answer, sentence = likeliest
            thought = f"{thought} If I have to name one, it is {answer} {_source(sentence)}."
        return _Said(f"{_taken(plan)} {thought}".strip(), answer=answer, unsure=likeliest is not None)

    def _next(self, plan: Plan, path: Path, evidence: Evidence) -> _Ask | None:
        """What to look up for the first hop that is still open: the hop itself, then the other way round."""
        asked = {key(query) for query in evidence.queries}
        whole = key(plan.question) in asked
        missing = -1
        for known, hop in enumerate(plan.hops):
            if missing >= 0 and plan.comparison is None:
                break  # of two sides the other one can still be looked up
            if any(slot not in path.values for slot in (*hop.slots, *hop.others)):
                missing = known if missing < 0 else missing
                continue
            query = hop.text(path.values)
            found = path.found.get(hop.target)
            if key(query) in asked:
                untold = found is None or not found.cued
                other = _reworded(hop, path) if untold else ""
                if other and key(other) not in asked:
                    return _Ask(other, f"No fact says so directly, so I look from the other side: {other}.", known)
                page = path.values[hop.slots[0]] if hop.slots else ""
                if untold and page and key(page) not in asked and len(asked) < ENOUGH:
                    return _Ask(page, f"I look up what else is said of {page}.", known)
                if found is None or (found.score < WEAK and not whole):
                    missing = known if missing < 0 else missing
            elif not (found and found.score >= STRONG and _asked_about(hop, path, asked)):
                return _Ask(query, _intention(hop, query, first=not evidence.queries), known)
        if missing < 0 or not key(plan.question) or whole:
            return None
        return _Ask(plan.question, "That is not enough, so I look up the question as a whole.", missing)

    def _wording(self, plan: Plan, path: Path, evidence: Evidence) -> _Ask | None:
        """The sentence that a value was read off, where only a passage has it: asked for, it comes as a fact."""
        if len(evidence.queries) >= ENOUGH or not self._answer_if_believed(plan, path, evidence):
            return None
        asked = {key(query) for query in evidence.queries}
        for hop in (hop for hop in reversed(plan.hops) if hop.target in path.found):
            sentence = path.found[hop.target].sentence
            query = f"{sentence.title}: {sentence.text}"[:LONGEST_QUERY]
            if not sentence.number and key(query) not in asked:
                return _Ask(query, "A passage says so; I look for the exact wording.", len(plan.hops))
        return None

    def _answer_if_believed(self, plan: Plan, path: Path, evidence: Evidence) -> str:
        doubtful = self._believed(plan, path, evidence) < len(plan.hops)
        return "" if doubtful or not plan.hops else _answer(plan, path)

    def _believed(self, plan: Plan, path: Path, evidence: Evidence, *, alone: bool = False) -> int:
        """How many hops, from the first on, have a value that is believed; ``alone``, without any later hop's help."""
        # Two sides that were looked up alike support each other.
        eased = 0.0 if alone else 1.0 if plan.comparison else CHAINED if len(plan.hops) > 1 else 0.0
        needed = self.thin - eased
        if not _all_named(plan, evidence):
            needed = max(needed, UNNAMED - (1.0 if plan.comparison else 0.0))
        chosen = _chosen(plan, path)
        for known, hop in enumerate(plan.hops):
            found = path.found.get(hop.target)
            if chosen and (found is None or found.value == "no"):
                continue
            # Of a relative who leads on, the next hop is no witness: it tells of anybody, unless it judges who it is.
            bridge = plan.leads_on(hop) and plan.hops[-1].expects not in WHOLE
            last = alone or hop is plan.hops[-1] or (is_personal(hop.relation) and bridge)
            if found is None or _trust(hop, found, last) < needed:
                return known
        return len(plan.hops)

    def _conclude(self, plan: Plan, path: Path, evidence: Evidence) -> tuple[str, str]:
        answer = self._answer_if_believed(plan, path, evidence)
        known = len(plan.hops) if answer else self._believed(plan, path, evidence, alone=True)
        account = _account(plan.hops[:known], path)
        if not answer and (reading := _as_a_whole(plan, path, evidence)):
            told = f"Read as a whole, the question leads to {reading.value} {_source(reading.sentence)}."
            return f"{account} {told}".strip(), reading.value
        if not answer and (beside := look_beside(plan, evidence)) and beside.score >= TOLD_BESIDE:
            told = f"{plan.question.rstrip(' ?')}? Probably {beside.value} {_source(beside.sentence)}."
            return f"{account} {told}".strip(), beside.value
        if not answer:
            return f"{account} {_missing(plan, path, evidence, known)}".strip(), UNKNOWN
        if plan.comparison:
            account = f"{account} So the answer is {answer}."
        return account, answer


def _chosen(plan: Plan, path: Path) -> bool:
    """Whether one of two things that a question offers was found to be what it asks for: no other need be known."""
    offered = plan.comparison is not None and plan.comparison.pick == WHICH
    return offered and any(found.value == "yes" for found in path.found.values())


def _as_a_whole(plan: Plan, path: Path, evidence: Evidence) -> Reading | None:
    """Where the hops lead nowhere: what most of the question speaks for, if all its names were found.

    A plain question of one hop has nothing else to lean on: it stays without an answer.
    """
    if (len(plan.hops) < 2 and not _tangled(plan)) or not _all_named(plan, evidence):
        return None
    if plan.hops[-1].negated or kin_sought(plan.hops[-1].relation):
        return None  # the words alone do not say who is whose relative, nor what is not so
    if any(kin_sought(hop.relation) and plan.leads_on(hop) and not _is_cued(hop, path) for hop in plan.hops):
        return None
    reading = read_whole(plan, path.values, evidence)
    return reading if reading and reading.covered >= COVERED else None


def _is_cued(hop: Hop, path: Path) -> bool:
    """Whether words that tell a hop's relation lead to its value."""
    found = path.found.get(hop.target)
    return found is not None and found.cued


def _likeliest(plan: Plan, path: Path, evidence: Evidence) -> tuple[str, Sentence] | None:
    """What comes nearest to an answer where none is believed, with its sentence: a guess.

    Where the hops lead to nothing that is believed, the question read as a whole is right more often than they are, but
    for a spouse, who may only stand beside the subject. A value that rests on bridges takes no part in that reading: it
    is what they led to.
    """
    if not plan.hops:
        return None
    if plan.comparison:
        return _either(plan, path, evidence)
    if plan.hops[-1].expects == YES_NO and plan.hops[-1].slots and plan.hops[-1].slots[0] in path.values:
        judged = fits(plan.hops[-1], path.values, evidence)
        return (judged[0], judged[2]) if judged else None
    last = plan.hops[-1].target
    told = all(hop.target in path.found for hop in plan.hops)
    answer = _answer(plan, path) if told else ""
    value = None if is_unknown(answer) else (answer, path.found[last].sentence)
    relation = plan.hops[-1].relation
    enough = HELD if relation is not None and len(plan.hops) == 1 else STRONG
    if value and (path.found[last].score >= enough or (relation is not None and relation.name in COUPLE)):
        return value
    named = {slot: name for slot, name in path.values.items() if slot != last or len(plan.hops) > 1}
    reading = read_whole(plan, named, evidence)
    return (reading.value, reading.sentence) if reading else value


def _either(plan: Plan, path: Path, evidence: Evidence) -> tuple[str, Sentence] | None:
    """What a comparison comes to by values that are not believed, or the side of which anything was found."""
    assert plan.comparison is not None
    sides = plan.comparison.left, plan.comparison.right
    left, right = ([value for slot in side for value in _values(path, slot)] for side in sides)
    a, b = plan.comparison.options
    answer = _answer(plan, path) or either(plan.comparison, left, right, (path.values[a], path.values[b]))
    found = next((path.found[slot].sentence for side in sides for slot in side if slot in path.found), None)
    sentence = found or next(iter(evidence.sentences), None)
    return (answer, sentence) if answer and sentence else None


def _all_named(plan: Plan, evidence: Evidence) -> bool:
    """Whether something that was found mentions each of the question's names."""
    return all(map(evidence.names, plan.anchors))


def _tangled(plan: Plan) -> bool:
    """Whether the outermost question still holds a clause: its words were not taken apart."""
    words = plan.hops[-1].template.lower().split() if plan.hops else []
    return len(plan.anchors) > 0 and any(word in RELATIVE for word in words[2:])


def _trust(hop: Hop, found: Found, last: bool) -> float:
    """How far a value is believed; a bridge has the next hop as its witness, the last value only its own words."""
    if last and found.unsaid:
        return found.score - UNSAID
    if found.cued:
        return found.score
    known = hop.relation.name if hop.relation else ""
    if not last or not known:
        return found.score - UNCUED
    if hop.expects == "place" and is_known(found.value):
        return found.score - UNTOLD - MAPPED
    return found.score - (UNTOLD_COUPLE if known in COUPLE else UNTOLD_KIN if is_personal(hop.relation) else UNTOLD)


def _solve(plan: Plan, evidence: Evidence) -> tuple[Plan, Path]:
    """The best path, with a hop more wherever a value is a place that only lies in what was asked for."""
    path = search(plan, evidence)[0]
    for _ in range(len(plan.hops)):
        wider = contained(plan, path, evidence)
        if wider is None:
            break
        plan, path = wider, search(wider, evidence)[0]
    return plan, path


def _answer(plan: Plan, path: Path) -> str:
    if plan.comparison is None:
        return path.values.get(plan.hops[-1].target, "")
    left, right = (
        [v for slot in side for v in _values(path, slot)] for side in (plan.comparison.left, plan.comparison.right)
    )
    a, b = plan.comparison.options
    found = [path.found.get(side[0]) for side in (plan.comparison.left, plan.comparison.right)]
    first, second = (one.score if one else 0.0 for one in found)
    return decide(plan.comparison, left, right, (path.values[a], path.values[b]), (first, second))


def _values(path: Path, slot: int) -> tuple[str, ...]:
    found = path.found.get(slot)
    return (found.values or (found.value,)) if found else ()


def _asked_about(hop: Hop, path: Path, asked: set[str]) -> bool:
    """Whether an earlier query named the hop's subject."""
    subject = key(path.values[hop.slots[0]]) if hop.slots else ""
    return bool(subject) and any(f" {subject} " in f" {query} " for query in asked)


def _reworded(hop: Hop, path: Path) -> str:
    """The question from the other side, for documents that tell it so: "illustrated X" for "illustrator of X"."""
    if "most populous" in hop.template:
        return hop.text(path.values).replace("most populous", "largest") + " by population"
    if hop.expects != "person" or not hop.slots:
        return ""
    subject = path.values[hop.slots[0]]
    if hop.relation is not None:
        verb = next((cue for cue in hop.relation.told if cue not in hop.template), "")
    else:
        verb = f"{hop.head[:-2]}ed" if hop.head.endswith(("or", "er")) else ""
    return f"{verb} {subject}" if verb else ""


def _taken(plan: Plan) -> str:
    """Whom the question means by the names that it misspells."""
    return " ".join(f"I take “{written}” to be {meant}." for written, meant in plan.misspelt)


def _account(hops: Sequence[Hop], path: Path) -> str:
    """What is known so far, hop by hop, each with the fact it was read off."""
    sentences = []
    for hop in hops:
        found = path.found.get(hop.target)
        if found is not None:
            sentences.append(_statement(hop, path, found))
    return " ".join(sentences)


def _statement(hop: Hop, path: Path, found: Found) -> str:
    source = _source(found.sentence)
    asked = hop.text(path.values).strip(" ?.")
    value = " / ".join(found.values) if found.values else found.value
    sure = found.score >= SURE
    if _is_phrase(hop):
        return f"The {asked} {'is' if sure else 'is probably'} {value} {source}."
    return f"{asked[0].upper()}{asked[1:]}? {value[0].upper() + value[1:] if sure else f'Probably {value}'} {source}."


def _source(sentence: Sentence) -> str:
    return f"[{sentence.number}]" if sentence.number else f"(passage “{sentence.title}”)"


def _is_phrase(hop: Hop) -> bool:
    """Whether the sub-question is a noun phrase ("father of X") rather than a question."""
    asks = hop.template.split()[0] in ASKING or hop.template.rstrip().endswith((" who", " what", " when", " where"))
    return hop.template[0].islower() and not asks and hop.expects not in WHOLE


def _intention(hop: Hop, query: str, *, first: bool) -> str:
    if _is_phrase(hop):
        return f"To answer this, I first need the {query}." if first else f"Next I need the {query}."
    return f"{'I ask' if first else 'Now I ask'}: {query.strip(' ?.')}?"


def _missing(plan: Plan, path: Path, evidence: Evidence, known: int) -> str:
    """What was looked up in vain, and what came nearest, which is no finding."""
    if not plan.hops:
        return "I see nothing in this that documents could tell. Ask about a person, a place or a thing."
    looked = "; ".join(dict.fromkeys(query.rstrip(" ?") for query in evidence.queries)) or "nothing yet"
    titles = dict.fromkeys(page.title for page in evidence.pages.values() if page.title)
    pages = ", ".join(f"“{title}”" for title in list(titles)[:SHOWN]) or "nothing"
    hop = plan.hops[known] if known < len(plan.hops) else None
    what = hop.text(path.values) if hop and all(s in path.values for s in (*hop.slots, *hop.others)) else plan.question
    told = f"I looked up: {looked}. What I found ({pages}) does not tell me: {what.rstrip('?')}."
    nearest = path.found.get(hop.target) if hop and _all_named(plan, evidence) else None
    return f"{told} Nearest to it came {nearest.value} {_source(nearest.sentence)}." if nearest else told
