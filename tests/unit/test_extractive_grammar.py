"""Questions to hops: what is asked of what, in which order."""

from __future__ import annotations

import pytest

from clew.agent.extractive.anchors import find_anchors, tokens
from clew.agent.extractive.answer_types import ANY, KIND, answer_type
from clew.agent.extractive.compare import comparison, decide
from clew.agent.extractive.grammar import chain, prepare
from clew.agent.extractive.lexicon import stem
from clew.agent.extractive.plan import DEFINITION, YES_NO, Comparison, Plan
from clew.agent.extractive.reading import asked


def plan_of(question: str, titles: frozenset[str] = frozenset()) -> Plan:
    names, draft = prepare(question, find_anchors(question, tokens(question), titles))
    return comparison(question, names, draft) or chain(question, names, draft)


def names_of(question: str, titles: frozenset[str] = frozenset()) -> list[str]:
    return [anchor.name for anchor in find_anchors(question, tokens(question), titles)]


@pytest.mark.parametrize(
    ("question", "hops"),
    [
        ("Who designed the Corran Tower?", ["Who designed the {0}"]),
        ("Where was the director of film Blue Harvest born?", ["director of {0}", "Where was {1} born"]),
        ("Who is Ada Finch's paternal grandfather?", ["father of {0}", "father of {1}"]),
        ("Who is the mother-in-law of Ada Finch?", ["spouse of {0}", "mother of {1}"]),
        ("What is the place of birth of Ada Finch's husband?", ["husband of {0}", "place of birth of {1}"]),
        (
            "What is the capital of the country where the Bub River is found?",
            ["country where the {0} is found", "capital of {1}"],
        ),
        (
            "Where was the person shown on the Corran coin born?",
            ["person shown on the {0}", "Where was {1} born"],
        ),
        (
            "When did the guild holding the keys to Bub Hall lose the vote?",
            ["guild holding the keys to {0}", "When did {1} lose the vote"],
        ),
        (
            "Who owns the mill built by the monk who left Corran?",
            ["monk who left {0}", "mill built by {1}", "Who owns {2}"],
        ),
        (
            "Where is the base of the newspaper telling all readers to stop smoking?",
            ["which newspaper telling all readers to stop smoking", "Where is base of {0}"],
        ),
        ("When was the law enacted for the poor in Corran?", ["When was the law enacted for the poor in {0}"]),
        (
            "Where is the source of the river that Bub settlers crossed to reach Torp?",
            ["river that {0} settlers crossed to reach {1}", "Where is source of {2}"],
        ),
        (
            "Who rules the land between the realm that sent the Corran fleet and Bubia?",
            ["realm that sent the {0}", "land between {2} and {1}", "Who rules {3}"],
        ),
        (
            "Where did the lord the Corran league declared war on live?",
            ["lord {0} declared war on", "Where did {1} live"],
        ),
        (
            "In what part of the country where Corran lies is the birthplace of Ada Finch?",
            ["birthplace of {1}", "country where {0} lies", "In what part of {3} is {2}"],
        ),
        ("When did the only bank larger than Bubco close?", ["only bank larger than {0}", "When did {1} close"]),
        (
            "Who sails on the river near the town where Ada Finch died?",
            ["town where {0} died", "river near {1}", "Who sails on {2}"],
        ),
        (
            "Where was the player with the highest score in Corran born?",
            ["player with highest score in {0}", "Where was {1} born"],
        ),
        (
            "How are guests seen differently where the only bank larger than Bubco sits?",
            ["only bank larger than {0}", "place where {1} sits", "How are guests seen differently in {2}"],
        ),
        (
            "What is the birthplace of who plays the cook in Blue Harvest?",
            ["person who plays the cook in {0}", "birthplace of {1}"],
        ),
        (
            "What is the capital of the land that the word Corran comes from?",
            ["land that the word {0} comes from", "capital of {1}"],
        ),
        (
            "What is the fare in the town where most bakers live?",
            ["in which town most bakers live", "What is the fare in {0}"],
        ),
        (
            "A lord built Corran Hall. When did that lord die?",
            ["lord that built {0}", "When did {1}, die"],
        ),
        (
            "Ada Finch was born in a small town. Who is the mayor of that town?",
            ["small town that {0} was born in", "mayor of {1}"],
        ),
        ("There is a band named after Ada Finch. Who led that band?", ["band named after {0}", "Who led {1}"]),
        (
            "In which year did the room devoted to old coins open?",
            ["In which year did the room devoted to old coins open"],
        ),
        ("What county is the town where Ada Finch was born?", ["town where {0} was born", "What county is {1}"]),
        (
            "Who is the wife of the longest serving pirate chief?",
            ["which longest serving pirate chief", "wife of {0}"],
        ),
        (
            "Who was the first president of the firm founded by Ada Finch?",
            ["firm founded by {0}", "first president of {1}"],
        ),
        ("In what county is the city where Ada Finch was born?", ["city where {0} was born", "In what county is {1}"]),
        ("Who founded the school attended by the author of Blue Harvest?", None),
        ("How high is the roof of the Corran Tower?", ["How high is roof of {0}"]),
        (
            "When did the country Tom Reed sailed for join the Northern League?",
            ["country {0} sailed for", "When did {2} join the {1}"],
        ),
        (
            "When was the fishing law enacted in the country whose flag carrier Bub Air is?",
            ["country whose flag carrier {0} is", "When was the fishing law enacted in {1}"],
        ),
        (
            "In what month do most storms occur in the state Radio Corran broadcasts from?",
            ["state {0} broadcasts from", "In what month do most storms occur in {1}"],
        ),
        (
            "What year did the disaster take place on which Blue Harvest is based?",
            ["disaster on which {0} is based", "What year did {1} take place"],
        ),
        ("When was the Corran Tower's first lamp repaired?", ["When was first lamp of {0} repaired"]),
        ("Where did the phrase Blue Harvest come from?", ["Where did the phrase {0} come from"]),
        ("When was the first Blue Harvest made?", ["When was the first {0} made"]),
        ("When was the car Bub Star made?", ["When was the car {0} made"]),
        ("What is the car Bub Motors made?", ["car {0} made"]),
        ("Where was the director of film Up born?", ["director of {0}", "Where was {1} born"]),
        ("In which county is Corran, in the same state as Ostby?", ["state of {1}", "In which county is {0}, in {2}"]),
        ("Who is the wife of the actor of Mira Holm in Blue Harvest?", ["actor of {0} in {1}", "wife of {2}"]),
        ("Where was Mira Holm's actor in the film Blue Harvest born?", ["actor of {0} in {1}", "Where was {2} born"]),
        ("What was the population density of Ostby in 2009?", ["population density of {0} in 2009"]),
        ("What is the largest city in Danland by population?", ["largest city in {0} by population"]),
        ("Who is the great grandfather of Ada Finch?", ["father of {0}", "grandfather of {1}"]),
        ("Who was the president of Ostby in 1934?", ["president of {0} in 1934"]),
        ("Where was the husband of architect Ada Finch born?", ["husband of {0}", "Where was {1} born"]),
        ("Who married the publisher of abolitionist newspaper Blue Star?", ["publisher of {0}", "Who married {1}"]),
        (
            "Who is the father of the person who heeded the warning of the one-legged gull?",
            ["who heeded the warning of the one-legged gull", "father of {0}"],
        ),
        (
            "What school did the actor playing the voice of Mira Holm in Blue Harvest attend?",
            ["actor playing voice of {0} in {1}", "What school did {2} attend"],
        ),
        (
            "What is the population of Ostby in the state where Lake Bub is located?",
            ["state where {1} is located", "population of {0} in {3}"],
        ),
        ("What is the name of the castle in the city Ada Finch died?", ["city {0} died", "castle in {1}"]),
        (
            "What is the seat of the county sharing a border with Torp's county?",
            ["county of {0}", "county bordering {1}", "seat of {2}"],
        ),
        (
            "Which county has the most populous city in the state where Lake Bub is located?",
            ["state where {0} is located", "most populous city in {1}", "Which county has {2}"],
        ),
        ("What city became the capital of Danland?", ["capital of {0}"]),
        ("In which county is the place of Ada Finch's birth?", ["place of birth of {0}", "In which county is {1}"]),
        (
            "When was the border between Danland and Bubland created?",
            ["When was the border between {0} and {1} created"],
        ),
        ("What percentage of Danland adheres to the Bub Church?", ["What percentage of {0} adheres to the {1}"]),
        ("When did the stalemate happen in the Gull War?", ["When did the stalemate happen in {0}"]),
        ("Who's the CEO of the firm that bought Torp Bank?", ["firm that bought {0}", "ceo of {1}"]),
        (
            "What is the seat of the county, that contains Lake Bub?",
            ["county that contains {0}", "seat of {1}"],
        ),
        (
            "Who governs the town that Radio Corran is licensed to broadcast to?",
            ["town that {0} is licensed to broadcast to", "Who governs {1}"],
        ),
        (
            "Which language was the first language of the daughter of Ada Finch?",
            ["daughter of {0}", "first language of {1}"],
        ),
        (
            "What prize did the sailor who mapped the northern reefs receive?",
            ["which sailor mapped the northern reefs", "What prize did {0} receive"],
        ),
        (
            "What is the population of the town where Ada Finch met the person to whom the lamp was sold?",
            ["who the lamp was sold to", "town where {0} met {1}", "population of {2}"],
        ),
        (
            "How many students attend where Ada Finch is employed?",
            ["place where {0} is employed", "How many students attend in {1}"],
        ),
        (
            "What group is the college that Ada Finch attended a part of?",
            ["college that {0} attended", "What group is {1} a part of"],
        ),
        (
            "What league was the team that Ada Finch was a member of in?",
            ["team that {0} was a member of", "What league was {1} in"],
        ),
        ("Who does Ada Finch's father follow?", ["father of {0}", "Who does {1} follow"]),
        ("Who is married to the Blue Harvest cast member?", ["cast member of {0}", "Who is married to {1}"]),
        ("Where was the Blue Harvest artist born?", ["artist of {0}", "Where was {1} born"]),
        ("When did the invader of Danland die?", ["invader of {0}", "When did {1} die"]),
        (
            "What is the castle in the city where the headquarters of Torp Bank is located?",
            ["headquarters of {0}", "castle in {1}"],
        ),
        (
            "Where did the man with the same name as the Blue Harvest author die?",
            ["author of {0}", "Where did {1} die"],
        ),
        ("Who became the president of Danland in 1990?", ["president of {0} in 1990"]),
        (
            "What is the place of birth of the director of film Italian Night?",
            ["director of {0}", "place of birth of {1}"],
        ),
        (
            "Who wrote the series The Grey Gull is part of?",
            ["series {0} is part of", "Who wrote {1}"],
        ),
        ("How long is the river by Ostby?", ["river by {0}", "How long is {1}"]),
        (
            "What is the seat of the county were Ada Finch was born?",
            ["county where {0} was born", "seat of {1}"],
        ),
    ],
)
def test_hops_are_innermost_first(question: str, hops: list[str] | None) -> None:
    plan = plan_of(question)
    if hops is None:
        hops = ["author of {0}", "school attended by {1}", "Who founded {2}"]
    assert [hop.template for hop in plan.hops] == hops


@pytest.mark.parametrize(
    ("question", "relation", "expects"),
    [
        ("Where was Ada Finch born?", "birthplace", "place"),
        ("When did Ada Finch die?", "death_date", "date"),
        ("What nationality is Ada Finch?", "nationality", "country"),
        ("Why did Ada Finch die?", "death_cause", "cause"),
        ("Where did Ada Finch study?", "education", "organisation"),
        ("How many people live in Corran?", "population", "number"),
        ("Which award did Ada Finch receive?", "award", "award"),
        ("In which year was Ada Finch born?", "birth_date", "date"),
        ("When did the Battle of Ostby take place?", "event_date", "date"),
        ("When is Blue Harvest coming out?", "publication_date", "date"),
    ],
)
def test_relation_and_answer_type(question: str, relation: str, expects: str) -> None:
    hop = plan_of(question).hops[-1]
    assert hop.relation is not None
    assert (hop.relation.name, hop.expects) == (relation, expects)


def test_a_question_without_a_name_is_still_one_hop() -> None:
    plan = plan_of("what is the return policy?")
    assert plan.anchors == ()
    assert [hop.slots for hop in plan.hops] == [()]


def test_yes_no_and_definition_are_decided_as_a_whole() -> None:
    assert plan_of("Was Ada Finch born in Corran?").hops[-1].expects == YES_NO
    assert plan_of("Who is Ada Finch?").hops[-1].expects == DEFINITION
    assert plan_of("Tell me about Corran.").hops[-1].expects == DEFINITION


@pytest.mark.parametrize(
    ("question", "attribute", "pick", "bridge"),
    [
        ("Which film came out first, Blue Harvest or The Salt Road?", "publication_date", "first", ""),
        ("Who was born later, Ada Finch or Tom Reed?", "birth_date", "last", ""),
        ("Who lived longer, Ada Finch or Tom Reed?", "lifespan", "most", ""),
        (
            "Which film has the director who died first, Blue Harvest or The Salt Road?",
            "death_date",
            "first",
            "director",
        ),
        ("Which film whose director is younger, Blue Harvest or The Salt Road?", "birth_date", "last", "director"),
        ("Are Corran and Bub both located in the same country?", "country", "same", ""),
        ("Do Ada Finch and Tom Reed have the same nationality?", "nationality", "same", ""),
        ("Which mountain is higher, Mount Corran or Mount Bub?", "height", "most", ""),
        (
            "Who was born first, the director of Blue Harvest or the director of The Salt Road?",
            "birth_date",
            "first",
            "director",
        ),
    ],
)
def test_comparisons(question: str, attribute: str, pick: str, bridge: str) -> None:
    plan = plan_of(question)
    assert plan.comparison is not None
    assert (plan.comparison.attribute, plan.comparison.pick) == (attribute, pick)
    names = [hop.relation.name for hop in plan.hops if hop.relation]
    assert names.count(bridge) == (2 if bridge else 0)


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("Who directed Gaby: A True Story?", ["Gaby: A True Story"]),
        ("Where was Henry, Duke Of Corran's mother born?", ["Henry, Duke Of Corran"]),
        ("Who is the performer of song Come Dance With Me (Song)?", ["Come Dance With Me (Song)"]),
        ("Who is president of France?", ["France"]),
        ("Who wrote Devil's Doorway?", ["Devil's Doorway"]),
        ("When did the inventor of the Voss drive die?", ["Voss"]),
        ('Who wrote "the long way home"?', ["the long way home"]),
        ("Who is the performer of Be the Gull?", ["Be the Gull"]),
        ("Who is the performer of Be the One?", ["Be the One"]),
        ("When was the Danish Sound crossed?", ["Danish Sound"]),
        ("When was the film It released?", ["It"]),
        ("Who sang the song From Them, Through Us?", ["From Them, Through Us"]),
        ("Who sang Harbour in My Eyes?", ["Harbour in My Eyes"]),
        ("Where was the star of 'Blue Harvest' born?", ["Blue Harvest"]),
        ("After WWII, when did Danland join the League?", ["WWII", "Danland", "League"]),
        ("According to the Torp Survey, how large is Ostby?", ["Torp Survey", "Ostby"]),
        ("How many people moved to the European country that borders Danland?", ["Danland"]),
    ],
)
def test_names(question: str, names: list[str]) -> None:
    assert names_of(question) == names


def test_a_known_title_widens_a_name_and_splits_a_run() -> None:
    assert names_of("Who wrote Songs I Wrote with Amy?", frozenset({"songs i wrote with amy"})) == [
        "Songs I Wrote with Amy"
    ]
    assert names_of("Who built the Voss drive?", frozenset({"voss drive"})) == ["Voss drive"]


def test_a_noun_completes_a_name() -> None:
    assert plan_of("When did the inventor of the Voss drive die?").anchors == ("Voss drive",)


def test_decisions() -> None:
    first = Comparison((0, 1), "birth_date", "first", (2,), (3,))
    assert decide(first, ["12 May 1920"], ["1921"], ("A", "B")) == "A"
    assert decide(first, ["1921"], ["3 June 1921"], ("A", "B")) == ""
    assert decide(first, [], ["1921"], ("A", "B")) == ""
    lifespan = Comparison((0, 1), "lifespan", "most", (2, 3), (4, 5))
    assert decide(lifespan, ["1900", "1980"], ["1900", "1990"], ("A", "B")) == "B"
    same = Comparison((0, 1), "country", "same", (2,), (3,))
    assert decide(same, ["Danish"], ["Denmark"], ("A", "B")) == "yes"
    assert decide(same, ["Danish", "German"], ["Italy"], ("A", "B")) == "no"
    most = Comparison((0, 1), "height", "most", (2,), (3,))
    assert decide(most, ["1,488 metres"], ["731 metres"], ("A", "B")) == "A"


@pytest.mark.parametrize(
    ("question", "relation"),
    [
        ("Who is the editor of the Corran Journal?", "editor"),
        ("Who printed the journal edited by Tom Reed?", "editor of"),
        ("Who printed the journal whose editor is Tom Reed?", "editor of"),
        ("Who owns the company founded by Tom Reed?", "founder of"),
        ("Who owns the company that published the Corran Journal?", "publisher"),
        ("When was the city where Tom Reed was born built?", "birthplace"),
    ],
)
def test_a_relation_is_read_from_the_end_that_is_known(question: str, relation: str) -> None:
    first = plan_of(question).hops[0].relation
    assert first is not None
    assert first.name == relation


@pytest.mark.parametrize(
    ("question", "topic", "predicate"),
    [
        ("When does the lease end?", {"lease"}, {"end"}),
        ("Who maintains the roof of the boathouse?", {"roof", "boathouse"}, {"maintain"}),
        ("What is the tenant's phone number?", {"tenant"}, {"phone", "number"}),
        ("How much does a new crane cost?", {"new", "crane"}, {"cost"}),
        ("When is the next meeting?", set(), {"next", "meeting"}),
        ("Which company dredges the inner basin?", {"inner", "basin"}, {"dredges"}),
    ],
)
def test_a_question_without_names_is_about_something_and_asks_something_of_it(
    question: str, topic: set[str], predicate: set[str]
) -> None:
    found = asked(question)
    assert (found.topic, found.predicate) == (frozenset(map(stem, topic)), frozenset(map(stem, predicate)))


def test_two_names_joined_by_and_are_compared_only_where_the_question_contrasts_them() -> None:
    asked_of_both = plan_of("Where was the dean of the School of Arts and Letters at Corran College born?")
    assert asked_of_both.comparison is None
    contrasted = plan_of("Between Ada Finch and Tom Reed, who was born first?")
    assert contrasted.comparison is not None


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("which journalist considered x the best", ("person", "journalist")),
        ("which x film was shot in x", ("work", "film")),
        ("what colour was x painted", ("colour", "colour")),
        ("what kind of stone arches does x have", (KIND, "arches")),
        ("x is lit by what type of lamp", (KIND, "lamp")),
        ("what kind of music does x play", ("genre", "music")),
        ("what are sailors concerned about", (ANY, "concerned")),
    ],
)
def test_the_noun_asked_for_says_what_the_answer_is(words: str, expected: tuple[str, str]) -> None:
    assert answer_type(words.split(), None) == expected


def test_a_rank_behind_a_comma_belongs_to_the_name() -> None:
    plan = plan_of("Who is the father of Ada Finch, 2nd Baroness Tarn's father?", frozenset({"ada finch"}))
    assert plan.anchors == ("Ada Finch, 2nd Baroness Tarn",)
    assert len(plan.hops) == 2


@pytest.mark.parametrize(
    ("question", "last"),
    [
        ("When did the firm that made the Vole 3 change the colour of its wheels?", "When did {1} change the colour"),
        ("What did the poet whom Ada Finch wrote The Salt Road for win a medal for?", "What did {2} win a medal for"),
    ],
)
def test_did_leaves_its_verb_to_what_follows_a_clause(question: str, last: str) -> None:
    known = frozenset({"vole 3", "ada finch", "the salt road"})
    assert plan_of(question, known).hops[-1].template.startswith(last)
