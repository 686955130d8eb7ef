"""Citations: the right spans, exact quotes, and none where nothing supports the answer."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clew.agent.citations import MAX_CITATIONS, cite, quoted
from clew.agent.episode import strip_markers
from clew.agent.protocol import DIALECTS
from clew.types import Citation, Fact, Passage, Source, Step, Support

DOCUMENTS = {
    "lothar": "The film Lothair's Lamp was directed by Renée Okonjo. It came out in 1961. It was shot in Tunis.",
    "okonjo": "Renée Okonjo was a film director. She was born in Zürich on 4 July 1921. She died in Lagos.",
    "brand": "The film Brandung was directed by Piet Marsh. It came out in 1958.",
}
TITLES = {"lothar": "Lothair's Lamp", "okonjo": "Renée Okonjo", "brand": "Brandung"}
G = DIALECTS["graph-r1"]


def read(wanted: list[tuple[str, int, int]]) -> list[str]:
    return [DOCUMENTS.get(document, "")[start:end] for document, start, end in wanted]


def fact(document: str, sentence: str, *entities: str) -> Fact:
    start = DOCUMENTS[document].index(sentence)
    source = Source(document, TITLES[document], "c", start, start + len(sentence))
    return Fact(sentence, f"{TITLES[document]}: {sentence}", (TITLES[document], *entities), 1.0, (source,))


DIRECTED = fact("lothar", "The film Lothair's Lamp was directed by Renée Okonjo.", "Renée Okonjo")
RELEASED = fact("lothar", "It came out in 1961.", "1961")
SHOT = fact("lothar", "It was shot in Tunis.", "Tunis")
DIRECTOR = fact("okonjo", "Renée Okonjo was a film director.")
BORN = fact("okonjo", "She was born in Zürich on 4 July 1921.", "Zürich")
DIED = fact("okonjo", "She died in Lagos.", "Lagos")
OTHER_DIRECTED = fact("brand", "The film Brandung was directed by Piet Marsh.", "Piet Marsh")
OTHER_RELEASED = fact("brand", "It came out in 1958.", "1958")

QUESTION = "Where was the director of Lothair's Lamp born?"
HOPS = (
    Step("", "Who directed Lothair's Lamp?", (SHOT, RELEASED, DIRECTED)),
    Step("", "Where was Renée Okonjo born?", (DIRECTOR, DIED, BORN)),
    Step("So it is."),
)


def quotes(
    answer: str,
    steps: tuple[Step, ...] = HOPS,
    question: str = QUESTION,
    spans: Callable[[list[tuple[str, int, int]]], list[str]] = read,
) -> list[str]:
    citations = cite(question, steps, answer, spans=spans, dialect=G)
    for c in citations:
        assert DOCUMENTS[c.document][c.start : c.end] == c.quote
    return [c.quote for c in citations]


def test_a_thought_cannot_name_what_it_has_not_seen_yet() -> None:
    steps = (Step("As [2] says", HOPS[0].query, HOPS[0].facts), HOPS[1], HOPS[2])
    assert quotes("Zürich", steps) == quotes("Zürich")


def test_an_answer_that_rests_on_nothing_gets_none() -> None:
    assert quotes("Reykjavík") == []
    assert quotes("") == []
    assert quotes("Zürich", (Step("I know it."),)) == []
    assert quotes("Zürich", (Step("", "where?"), Step("Hm."))) == []


def test_a_comparison_cites_each_side() -> None:
    steps = (
        Step("", "When did Lothair's Lamp come out?", (DIRECTED, RELEASED)),
        Step("", "When did Brandung come out?", (OTHER_DIRECTED, OTHER_RELEASED)),
        Step(""),
    )
    question = "Which film came out first, Lothair's Lamp or Brandung?"
    assert quotes("Brandung", steps, question) == ["It came out in 1961.", "It came out in 1958."]
    assert quotes("yes", steps, "Did both come out before 1970?") == ["It came out in 1961.", "It came out in 1958."]


@pytest.mark.parametrize("passages", [True, False])
def test_a_part_of_a_name_of_the_question_is_no_option_of_it(passages: bool) -> None:
    about, stating = "Luxembourg City is in the south of a small country.", "The city lies in Luxembourg."
    DOCUMENTS["city"], TITLES["city"] = f"{about} {stating}", "Luxembourg City"
    passage = Passage("city", "city", "Luxembourg City", DOCUMENTS["city"], 0, len(DOCUMENTS["city"]), 1.0)
    facts = () if passages else (fact("city", about), fact("city", stating))
    question = "In which country is Luxembourg City?"
    steps = (Step("", question, facts, (passage,) if passages else ()), Step(""))
    assert quotes("Luxembourg", steps, question) == [stating]
    assert quotes("Luxembourg City", steps, question) == [about], "the whole name is"


@pytest.mark.parametrize(
    ("answer", "question"),
    [
        ("Renée Okonjo", "Which of Renée Okonjo and Piet Marsh came first?"),
        ("Okonjo", "Who came first, Renée Okonjo or Piet Marsh?"),
        ("no", "Is Doctor No older than Renée Okonjo?"),
    ],
)
def test_an_option_may_be_shortened_and_joined_by_and(answer: str, question: str) -> None:
    steps = (
        Step("", "When was Renée Okonjo born?", (DIRECTOR, BORN)),
        Step("", "When did Piet Marsh's Brandung come out?", (OTHER_DIRECTED, OTHER_RELEASED)),
        Step(""),
    )
    assert len(quotes(answer, steps, question)) == 2


def test_a_sentence_as_answer_is_supported_by_its_words() -> None:
    answer = "The director Renée Okonjo was born in the city of Zürich, on the 4th of July 1921"
    assert quotes(answer)[-1] == "She was born in Zürich on 4 July 1921."


@pytest.mark.parametrize(
    ("answer", "stating"),
    [
        ("It is Zürich.", "She was born in Zürich on 4 July 1921."),
        ("She was born there: in Zürich, on 4 July 1921.", "She was born in Zürich on 4 July 1921."),
        ("1. Zürich\n2. July 1921", "She was born in Zürich on 4 July 1921."),
        ("It is not Zürich.", ""),
        ("It is Zürich or Geneva.", ""),
        ("It is in the director.", ""),
    ],
)
def test_an_answer_in_a_sentence_is_stated_where_its_own_words_stand(answer: str, stating: str) -> None:
    assert stating == "" or stating in quotes(answer)
    assert stating != "" or "She was born in Zürich on 4 July 1921." not in quotes(answer)


def test_a_yes_or_no_is_cited_by_what_it_adds() -> None:
    question = "Was Brandung directed by Renée Okonjo?"
    steps = (Step("", question, (DIRECTED, OTHER_DIRECTED, OTHER_RELEASED)), Step("So it is."))
    said = "The film Brandung was directed by Piet Marsh."
    assert quotes("No, it was directed by Piet Marsh.", steps, question) == [said]
    assert quotes("No, Jan Vos did it.", steps, question) == quotes("no", steps, question)


def test_passages_are_cited_by_the_sentence() -> None:
    def passage(document: str) -> Passage:
        text = DOCUMENTS[document]
        return Passage(document, document, TITLES[document], text, 0, len(text), 1.0)

    steps = (
        Step("", "director of Lothair's Lamp", (), (passage("brand"), passage("lothar"))),
        Step("", "birthplace of Okonjo", (), (passage("okonjo"),)),
        Step(""),
    )
    assert quotes("Zürich", steps) == quotes("Zürich")


def test_the_same_span_is_cited_once_and_never_more_than_the_limit() -> None:
    text = " ".join(f"Fact {i} is about Zürich." for i in range(20))
    DOCUMENTS["many"], TITLES["many"] = text, "Many"
    facts = tuple(fact("many", f"Fact {i} is about Zürich.") for i in range(20))
    steps = (Step("", "q", facts), Step("", "q2", facts), Step(" ".join(f"[{i}]" for i in range(1, 40))))
    found = quotes("Zürich", steps)
    assert len(found) == len(set(found)) == MAX_CITATIONS


def test_spans_are_read_in_one_call_and_missing_ones_are_not_cited() -> None:
    calls: list[int] = []

    def gone(wanted: list[tuple[str, int, int]]) -> list[str]:
        calls.append(len(wanted))
        return ["" for _ in wanted]

    assert quotes("Zürich", spans=gone) == []
    assert calls == [6]


@pytest.mark.parametrize(
    ("answer", "stating"),
    [
        ("القاهرة", "ولد في القاهرة."),
        ("القاهرة", "جاء والقاهرة بعيدة."),
        ("ירושלים", "הוא נולד בירושלים."),
        ("서울", "그는 서울에서 태어났다."),
    ],
)
def test_scripts_that_write_particles_onto_words(answer: str, stating: str) -> None:
    DOCUMENTS["other"], TITLES["other"] = stating, "Other"
    assert quotes(answer, (Step("", "where?", (DIED, fact("other", stating))), Step("")), "Where?") == [stating]


def test_a_citation_says_where_it_is_from() -> None:
    (citation,) = cite("Where did she die?", (Step("", "her death", (DIED,)),), "Lagos", spans=read, dialect=G)
    start = DOCUMENTS["okonjo"].index("She died")
    spans = ((start + 12, start + 17),)
    assert citation == Citation("okonjo", "Renée Okonjo", start, start + 18, "She died in Lagos.", spans=spans)


def test_the_likeliest_values_are_marked_where_they_stand() -> None:
    text = DOCUMENTS["okonjo"]
    born = next(line for line in text.split(". ") if "Zürich" in line)
    start = text.index(born)
    support = Support("okonjo", "Renée Okonjo", start, start + len(born), values=("4 July 1921", "Zürich", "Paris"))
    (citation,) = quoted([support], read)
    assert [text[a:b] for a, b in citation.spans] == ["Zürich", "4 July 1921"]
    assert "".join(piece for piece, _ in citation.pieces()) == citation.quote
    assert [piece for piece, is_span in citation.pieces() if is_span] == ["Zürich", "4 July 1921"]


@pytest.mark.parametrize("run", [" " * 200_000, "\n \t" * 60_000, "[1 " * 60_000, "[1," * 60_000])
def test_removing_markers_takes_linear_time(run: str) -> None:
    began = time.perf_counter()
    strip_markers(f"Zürich{run}it is")
    assert time.perf_counter() - began < 1


@given(st.text(max_size=40), st.text(max_size=60), st.text(max_size=40))
def test_nothing_makes_it_fail(answer: str, thought: str, query: str) -> None:
    steps = (Step(thought, query, HOPS[0].facts), HOPS[1], Step(thought))
    assert len(quotes(answer, steps)) <= MAX_CITATIONS
