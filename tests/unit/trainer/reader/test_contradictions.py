"""Each contradiction takes from a passage what a question asks, and leaves its words."""

from __future__ import annotations

import random

from clew.trainer.reader.contradictions import beside_denials, contradiction
from clew.trainer.reader.items import Item

BOUGHT = "The mill stands by the river. Corvo Mills bought Danube Paper Works after long talks. It was a cold year."
LED = "The board is large. The chair is Ida Falk. Meetings were held in spring."


def item(question: str, context: str, answer: str) -> Item:
    start = context.index(answer)
    return Item("1", question, "", context, ((start, start + len(answer)),))


def made(of: Item) -> set[tuple[str, str]]:
    """Question and passage of every contradiction that some seed makes of an example."""
    found = (contradiction(of, ["Elbe Glass"], random.Random(seed)) for seed in range(40))
    return {(one.question, one.context) for one in found if one is not None and one.spans == ()}


def test_names_change_places_and_one_word_of_a_name_another() -> None:
    contradictions = made(item("What did the Danube Paper Works belong to?", BOUGHT, "Corvo Mills"))
    assert {context for _, context in contradictions} == {
        BOUGHT,
        BOUGHT.replace("Corvo Mills bought Danube Paper Works", "Danube Paper Works bought Corvo Mills"),
    }
    questions = {question for question, _ in contradictions if question.count("Glass")}
    assert "What did the Danube Paper Glass belong to?" in questions


def test_a_statement_is_denied_or_of_the_past() -> None:
    contexts = {context for _, context in made(item("Who is the chair of the board?", LED, "Ida Falk"))}
    assert LED.replace("chair is Ida", "chair is not Ida") in contexts
    assert any("The chair was Ida Falk until " in context for context in contexts)
    assert all(context.startswith("The board is large. ") for context in contexts)


def test_what_two_sentences_say_or_two_names_share_is_left() -> None:
    assert not made(item("Who is the chair?", f"{LED} Ida Falk is strict.", "Ida Falk"))
    assert not made(item("Who met in the town of Bergen?", "Bergen and Oslo met there.", "Oslo"))


def test_a_denial_beside_the_answer_leaves_it_where_it_is() -> None:
    of = item("Who is the chair of the board?", LED, "Ida Falk")
    found = [one for seed in range(200) for one in beside_denials([of], random.Random(seed))]
    assert {one.context for one in found} == {
        LED.replace("board is large", "board is not large"),
        LED.replace("were held", "were not held"),
    }
    assert all(one.answers == ("Ida Falk",) for one in found)
