"""What models mean that do not keep to the protocol's form, and what stays unclear."""

from __future__ import annotations

import time

import pytest

from clew.agent.policies.llm.repair import ToolCall, ends, read, thinks
from clew.agent.protocol import DIALECTS

G = DIALECTS["graph-r1"]
R = DIALECTS["graphrag-r1"]


@pytest.mark.parametrize(
    ("text", "thought"),
    [
        ("<think>t</think>\n<query>q</query>", "t"),
        ("<THINK>t</THINK> < query >q</ Query>", "t"),
        ("<query>q</query>", ""),
        ("<think>I may write <answer>x</answer> or <query>y</query>.</think><query>q</query>", "*"),
        ("I may write <answer>x</answer>.</think>\n<query>q</query>", "*"),
        ("<think>long</think><think>t</think><query>q", "t"),
        ("<think>t\n<query>q</query>", "t"),
        ("<think>t\n<query>q</query>\n<knowledge>[1] forged", "t"),
        ("Sure!\n```xml\n<think>t</think>\n<query>q</query>\n```", "t"),
        ("<thinking>t</thinking><query>q</query><|im_end|>", "t"),
        ("[THINK]t[/THINK]<query>`q`</query></s>", "t"),
        ('{"thought": "t", "query": "q"}', "t"),
        ('{"thought": "t", "query": "q", "answer": ""}', "t"),
        ('{"thought": "t", "query": ["q", "r"], "answer": null}', "t"),
        ("{'thought': 't', 'query': 'q',}", "t"),
        ('Here: {"thought": "it says "so"", "query": "q"', "*"),
        ('<think>t</think><query>{"query": "q"}</query>', "t"),
        ("<think>t <query>q</query></think>", "t"),
        ('<tool_call>\n{"name": "search", "arguments": {"reason": "t", "query": "q"}}\n</tool_call>', "t"),
        ('[TOOL_CALLS][{"name": "lookUp", "arguments": {"q": "q"}}]', ""),
        ("**Thought:** t\n\n**Query:** q", ""),
        ("First write <query>what to look up</query>, so:\n<query>q</query>", "*"),
    ],
)
def test_a_query_is_read(text: str, thought: str) -> None:
    reading = read(G, text)
    turn = G.parse_turn(reading.turn)
    assert (turn.query, turn.answer, turn.error) == ("q", None, "")
    assert thought == "*" or turn.thought == thought
    assert (reading.form == "strict") is (text == "<think>t</think>\n<query>q</query>")


@pytest.mark.parametrize(
    "text",
    [
        "<answer>a</answer>",
        "Answer: **a**",
        "Final answer: a\nIt is so.",
        r"So \boxed{a}.",
        '{"answer": "a"}',
        "## Answer:\n\na",
        '{"answer": ["a"]}',
        '<think>t</think><answer>{"answer": "a"}</answer>',
    ],
)
def test_an_answer_is_read(text: str) -> None:
    assert G.parse_turn(read(G, text).turn).answer == "a"


@pytest.mark.parametrize(
    ("arguments", "answer"),
    [
        ('{"reason": "t", "answer": "a"', "a"),
        ('"{\\"answer\\": \\"a\\"}"', "a"),
        ("{'reason': 't', 'answer': 'a'}", "a"),
        ('{"reason": "one\ntwo", "answer": "a"}', "a"),
        ('{"parameters": {"reason": "t", "answer": "a"}}', "a"),
        ('{"answer": ["a", "b"]}', "a; b"),
        ('{"query": "", "answer": "a"}', "a"),
        ("1887", "1887"),
        ("plain words", "plain words"),
    ],
)
def test_the_arguments_of_a_call_may_be_bad_json(arguments: str, answer: str) -> None:
    assert G.parse_turn(read(G, "", calls=[ToolCall("answer", arguments)]).turn).answer == answer
    assert G.parse_turn(read(G, "", calls=[ToolCall("reply", '{"answer": "a"}')]).turn).answer == "a"


def test_a_call_that_the_limit_cut_off_is_not_mended() -> None:
    cut = ToolCall("answer", '{"reason": "t", "answer": "Ada Mo')
    assert read(G, "", calls=[cut], whole=False).form == "unusable"
    whole = ToolCall("answer", '{"reason": "t", "answer": "Ada Moreau"}')
    assert G.parse_turn(read(G, "", calls=[whole], whole=False).turn).answer == "Ada Moreau"


def test_where_no_lookup_is_left_an_answer_counts_after_a_query() -> None:
    both = "<think>t</think><query>q</query><answer>a</answer>"
    assert G.parse_turn(read(G, both).turn).query == "q"
    assert G.parse_turn(read(G, both, final=True).turn).answer == "a"
    forged = "<query>q</query><knowledge>[1] x</knowledge><answer>x</answer>"
    assert G.parse_turn(read(G, forged, final=True).turn).query == "q"
    assert not ends(G, "<think>t</think><query>q</query>", final=True)


@pytest.mark.parametrize("unit", ["{", '{"a', "# \n", "the answer is ", 'a("', "<answer a='b' ", "[1]", "(see ", " "])
def test_a_model_that_repeats_itself_takes_no_time(unit: str) -> None:
    began = time.perf_counter()
    read(G, unit * (30_000 // len(unit)))
    for much in (3_900, 30_000):
        read(G, f"<think>t</think><answer>{unit * (much // len(unit))}</answer>")
    assert time.perf_counter() - began < 3.0


def test_special_tokens_that_are_tags_stay() -> None:
    text = "<think>t</think><|BEGIN_OF_QUERY|>q<|end_of_query|><|im_end|>"
    assert R.parse_turn(read(R, text).turn).query == "q"


@pytest.mark.parametrize(
    ("text", "speech"),
    [
        ("It was Ada Moreau.", "It was Ada Moreau."),
        ("<think>t</think> It was **Ada**.<|im_end|>\n<|im_start|>user\nThanks", "It was **Ada**."),
        ("<think>never ends, with <query>x", ""),
        ("<query> </query>", ""),
        ("Write <query>what to look up</query> or <answer>the answer</answer>.", "*"),
        ("", ""),
    ],
)
def test_what_is_unclear_stays_so(text: str, speech: str) -> None:
    reading = read(G, text)
    assert reading.form == "unusable"
    assert not G.is_well_formed(reading.turn)
    assert speech in ("*", reading.speech)


def test_a_reply_ends_with_a_block_but_not_in_a_thought() -> None:
    assert ends(G, "<think>t</think><query>q</query>")
    assert ends(G, "<query>q</query>")
    assert not ends(G, "<think>I could write <query>q</query>")
    assert ends(G, "<think>t <query>q</query>\n<knowledge>")
    assert thinks(G, "<think>I could write <query>q</query> or")
    assert not thinks(G, "<think>t</think><query>q")


@pytest.mark.parametrize(
    ("answer", "plain"),
    [
        ("Ida Moss", "Ida Moss"),
        ("Ida Moss [2].", "Ida Moss [2]."),
        ("Ida Moss【3†notes.txt】", "Ida Moss[3]"),
        ("Ida Moss \\[2\\][^4]", "Ida Moss [2][4]"),
        ("Ida Moss (born 1902), in 3 (three) parts", "Ida Moss (born 1902), in 3 (three) parts"),
        ("**Ida Moss** [2]", "Ida Moss [2]"),
        ("**Ida Moss**【3†a】", "Ida Moss[3]"),
        ("**Ida Moss** and **Per Fern**", "**Ida Moss** and **Per Fern**"),
        ("`a_b` or `c`", "`a_b` or `c`"),
        ("__new__", "__new__"),
        ("[2]", "[2]"),
        ("__Ida Moss__", "Ida Moss"),
        ("- Ida Moss\n- Per Fern", "- Ida Moss\n- Per Fern"),
        ("$\\boxed{\\text{Ida Moss}}$", "Ida Moss"),
        ("The final answer is: Ida Moss", "Ida Moss"),
        ("{a, b}", "{a, b}"),
        ("-5 degrees", "-5 degrees"),
    ],
)
def test_an_answer_is_told_without_what_it_is_dressed_in(answer: str, plain: str) -> None:
    turn = G.parse_turn(read(G, f"<think>t</think>\n<answer>{answer}</answer>").turn)
    assert (turn.thought, turn.answer, turn.error) == ("t", plain, "")


@pytest.mark.parametrize(
    "text",
    [
        '{"thought": "t", "answer": {"text": "Ida Moss", "facts": [2]}}',
        '{"type": "answer", "content": "Ida Moss"}',
        '[{"tool_name": "answer", "parameters": {"answer": "Ida Moss"}}]',
        "<think>t</think><answer><answer>Ida Moss</answer></answer>",
    ],
)
def test_an_answer_in_other_words_for_it_is_read(text: str) -> None:
    assert G.parse_turn(read(G, text).turn).answer == "Ida Moss"
