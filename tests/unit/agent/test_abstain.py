"""Answers that are none, and answers that only look like it."""

from __future__ import annotations

import time

import pytest

from clew.agent.abstain import FOUND, UNKNOWN, in_a_line, is_unknown


@pytest.mark.parametrize(
    "answer",
    [
        "",
        "  ",
        "?",
        UNKNOWN,
        "I do not know.",
        "Unknown.",
        "Not mentioned in the facts",
        "The answer is not given",
        "cannot be determined",
        "I can’t answer this question based on the facts",
        "There is no information about her death",
        "Not enough information to answer",
        "N/A",
        "I'm not sure",
        "Unfortunately, the facts do not say where",
        "The provided facts don't mention this.",
        "Based on the facts, it is unclear",
        "Nothing found.",
        "No relevant information was found",
        "noanswer",
        "I'm sorry, but I can't assist with that.",
        "As an AI language model, I cannot provide that.",
        "The documents do not contain this information.",
        "The provided facts do not specify where she was born.",
        "I don't have enough information to answer.",
        "None of the documents mention her.",
        "No fact tells when.",
        "Nothing in the passages states this.",
        "The answer is not in the provided context.",
        "Information not available",
        "Unknown (not stated in the facts)",
        "There is no mention of a bridge in the facts.",
        "Das weiß ich leider nicht.",
        "Die Dokumente nennen ihn nicht.",
        "Je n'ai pas trouvé cette information.",
        "Les documents ne le disent pas.",
        "No se especifica en los hechos.",
        "资料中未提及",
        "Das ist nicht bekannt.",
        "Ik weet het niet",
        "Je ne sais pas.",
        "Il n'y a pas d'information.",
        "No lo sé",
        "Não sei",
        "Non lo so.",
        "Nie wiem",
        "Неизвестно",
        "Bilmiyorum",
        "我不知道",
        "わかりません",
        "모르겠습니다",
        "لا أعرف",
    ],
)
def test_it_is_none(answer: str) -> None:
    assert is_unknown(answer)


@pytest.mark.parametrize(
    "answer",
    [
        "No",
        "None",
        "Unknown Pleasures",
        "The Unknown Soldier",
        "No Country for Old Men",
        "Not Fade Away",
        "Can't Stop",
        "Don't Look Now",
        "Nobody Knows Best",
        "the data centre",
        "Unfortunately, it was Paris",
        "東京",
        "Der Bekannte",
        "The Facts of Life",
        "Nothing but the Truth",
        "None of them",
        "No Sources of Light",
        "the date of the fire",
        "Sorry, Baby",
        "He did not give up",
        "They did not state their names, but left by train",
    ],
)
def test_it_is_one(answer: str) -> None:
    assert not is_unknown(answer)


def test_a_hostile_answer_takes_no_time() -> None:
    began = time.perf_counter()
    assert not is_unknown("sorry based on " * 10_000 + "x")
    assert time.perf_counter() - began < 0.5


def test_a_list_shows_the_sentence_where_there_is_no_value() -> None:
    assert in_a_line(FOUND, [{"quote": "It is\nred."}, {"quote": "So."}]) == "Most likely here: “It is red.”"
    assert (in_a_line(FOUND, []), in_a_line("Ulm", [{"quote": "Ulm."}])) == (FOUND, "Ulm")
