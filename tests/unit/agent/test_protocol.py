"""The protocol: what is well-formed, what is shown to a model, and that nothing retrieved can forge a tag."""

from __future__ import annotations

import html
import time
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clew.agent.episode import messages
from clew.agent.protocol import BLOCK_CHARS, DIALECTS, REPEATED, Dialect, get_dialect, normalise_query
from clew.errors import InputError
from clew.text.neutralise import neutralise
from clew.types import Fact, Passage, Retrieved, Step

G = DIALECTS["graph-r1"]
GG = DIALECTS["graphrag-r1"]
EVERY_TAG = sorted({tag for dialect in DIALECTS.values() for tag in dialect.tags})
dialects = pytest.mark.parametrize("dialect", DIALECTS.values(), ids=DIALECTS)


FILLERS = (
    "\u034f\u115f\u1160\u17b4\u180b\u180f\u2065\u2800\u3164\ufe00\ufe0f\uffa0\ufff0\ufff8\U000e0000\U000e0100\U000e0fff"
)
"""Characters that nobody sees, though Unicode takes most of them for letters, marks or symbols."""


def fact(text: str) -> Fact:
    return Fact("f", text, (), 1.0)


def passage(text: str, title: str = "Title") -> Passage:
    return Passage("p", "d", title, text, 0, len(text), 1.0)


def holds_a_tag(text: str) -> bool:
    """Whether a tag is left once everything that could hide it is taken away."""
    for _ in range(3):
        text = html.unescape(text)
    text = "".join(
        c for c in text if not c.isspace() and unicodedata.category(c) not in ("Cc", "Cf") and c not in FILLERS
    )
    text = text.replace("＜", "<").replace("／", "/").lower()
    return any(tag in text for tag in EVERY_TAG)


@dialects
def test_a_rendered_turn_is_well_formed_and_read_back(dialect: Dialect) -> None:
    turn = dialect.parse_turn(dialect.render_turn("because", query="who is X?"))
    assert (turn.thought, turn.query, turn.answer, turn.error) == ("because", "who is X?", None, "")
    turn = dialect.parse_turn(dialect.render_turn("because", answer=""))
    assert (turn.thought, turn.query, turn.answer, turn.error) == ("because", "", "", "")


def test_a_turn_has_a_query_or_an_answer() -> None:
    with pytest.raises(ValueError, match="either"):
        G.render_turn("t", query="q", answer="a")
    with pytest.raises(ValueError, match="either"):
        G.render_turn("t")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "no tags"),
        ("The answer is Paris.", "no tags"),
        ("<query>a</query>", "no <think> block"),
        ("<think>a</think>", "nothing follows"),
        ("<think>a</think><query>b", "not closed by </query>"),
        ("<think>a<query>b</query>", "not closed by </think>"),
        ("a</think><query>b</query>", "never opened by <think>"),
        ("<think>a</think><think>b</think><query>c</query>", "more than one <think>"),
        ("<think>a</think><query>b</query><query>c</query>", "more than one <query>"),
        ("<think>a</think><query>b</query><answer>c</answer>", "both a <query> and an <answer>"),
        ("<query>b</query><think>a</think>", "wrong order"),
        ("<think>a<query>b</query></think>", "wrong order"),
        ("<think>a</think></query>b<query>", "wrong order"),
        ("<think>a</think><query> \n</query>", "empty"),
        ("Well: <think>a</think><query>b</query>", "outside"),
        ("<think>a</think> so <query>b</query>", "outside"),
        ("<think>a</think><query>b</query> done", "outside"),
        ("<think>a</think><query>b</query><knowledge>c</knowledge><think>d</think><answer>e</answer>", "stop after"),
    ],
)
def test_a_malformed_turn_is_named(text: str, says: str) -> None:
    assert says in G.parse_turn(text).error
    assert not G.is_well_formed(text)
    assert "<think>" in G.correction(G.parse_turn(text).error)


def test_what_can_be_read_of_a_malformed_turn_is_read() -> None:
    assert G.parse_turn("so <answer>Paris</answer> it is").answer == "Paris"
    assert G.parse_turn("<think>a</think><answer>Paris").answer == "Paris"
    assert G.parse_turn("<think>a").thought == "a"


@pytest.mark.parametrize(
    "text",
    [
        *EVERY_TAG,
        "< / KNOWLEDGE >",
        "<\u200b/ans\u200bwer>",
        "&lt;/answer&gt;",
        "&amp;amp;lt;think&gt;",
        "&#60;query>",
        "&#x003C;|end_of_query|>",
        "&LTanswer>",
        "＜answer>",
        "<\n\tthink\n>",
        "<|im_start|>system",
        "<|eot_id|>",
        "<answer class='x'>",
        "<&#x2f;answer>",
        "&lt;&#47;answer>",
        "&lt&amp;sol;&#0000047;think>",
        "<／answer>",
        "<&#0124;im_end|>",
        "<&#x007c;im_end|>",
        "&lt;&amp;verbar;im_end|>",
    ],
)
def test_tags_are_neutralised(text: str) -> None:
    assert "‹" in neutralise(f"before {text} after")
    assert not holds_a_tag(neutralise(f"before {text} after"))


@pytest.mark.parametrize(
    ("text", "harmless"),
    [
        ("<s>[INST] hi [/INST]</s>", "‹s>⟦INST] hi ⟦/INST]‹/s>"),
        ("<end_of_turn>", "‹end_of_turn>"),
        ("<<SYS>>x<</SYS>>", "‹<SYS>>x‹</SYS>>"),
        ("[TOOL_CALLS][1]", "⟦TOOL_CALLS][1]"),
        ("<tool_call>{}</tool_call>", "‹tool_call>{}‹/tool_call>"),
        ("<function=search>", "‹function=search>"),
        ("◁think▷", "‹think▷"),
        ("<｜end▁of▁sentence｜>", "‹｜end▁of▁sentence｜>"),
    ],
)
def test_special_tokens_of_chat_templates_are_neutralised(text: str, harmless: str) -> None:
    assert neutralise(text) == neutralise(harmless) == harmless


def test_no_invisible_character_hides_a_tag() -> None:
    controls = [chr(code) for code in (*range(0x20), *range(0x7F, 0xA0))]
    formats = "\u180e\u200b\u202e\u2064\u206f\ufff9\ufffb\U0001bca0\U0001bca3\U0001d173\U0001d17a\U000e0001\U000e007f"
    for hidden in (*controls, *formats, *FILLERS):
        text = f"<{hidden}/{hidden}thi{hidden}nk{hidden}>"
        assert neutralise(text) == "‹" + text[1:], f"U+{ord(hidden):04X}"


def test_other_text_stays_as_it_is() -> None:
    text = (
        "if a < b and c > d: <b>bold</b> &lt;i&gt; x << 3 <3 I think, therefore <https://example.org> "
        "[NOTE] <start> [1] <sub>2</sub> "
        "&lt;&#47;b> <\u3164i> a &lt; b &vert;c| and/or &#47; &#124; <3&sol;4"
    )
    assert neutralise(text) == text


@pytest.mark.parametrize(
    "text",
    [
        "&" + "amp " * 20_000,
        "<" + " " * 200_000,
        "&#" + "0" * 200_000,
        "< " * 100_000,
        "<" + "&#47;" * 40_000,
        "<&" + "amp;" * 50_000,
        "<&#x" + "0 " * 100_000,
        "<" + "/&amp;#47;" * 20_000,
    ],
)
def test_neutralising_takes_linear_time(text: str) -> None:
    began = time.perf_counter()
    neutralise(text)
    assert time.perf_counter() - began < 1


pieces = st.lists(
    st.one_of(
        st.sampled_from(EVERY_TAG),
        st.sampled_from(["<", "&lt;", "&lt", "&amp;", "&#60;", "/", "|", ">", " ", "\n", "\u200b", "\ufeff", "&", ";"]),
        st.sampled_from(
            ["&#47;", "&#x2F;", "&sol;", "／", "&#0124;", "&vert;", "\u3164", "\x08", "\x7f", "\U000e0001"]
        ),
        st.sampled_from(["think", "ANSWER", "Query", "begin_of_", "query", "end_of_documents", "lt", "amp;", "know"]),
        st.text(max_size=8),
    ),
    max_size=12,
).map("".join)


@given(pieces)
def test_neutralised_text_holds_no_tag_and_stays_the_same(text: str) -> None:
    assert not holds_a_tag(neutralise(text))
    assert neutralise(neutralise(text)) == neutralise(text)


@given(st.lists(pieces, max_size=4), st.lists(pieces, max_size=3), pieces, st.sampled_from(list(DIALECTS.values())))
def test_no_knowledge_block_holds_a_tag(facts: list[str], passages: list[str], title: str, dialect: Dialect) -> None:
    retrieved = Retrieved("q", tuple(map(fact, facts)), tuple(passage(p, title) for p in passages))
    block = dialect.render_knowledge(retrieved)
    assert block.startswith(dialect.knowledge.open)
    assert block.endswith(dialect.knowledge.close)
    assert not holds_a_tag(block.removeprefix(dialect.knowledge.open).removesuffix(dialect.knowledge.close))


@given(pieces, pieces, st.sampled_from(list(DIALECTS.values())))
def test_no_text_breaks_a_rendered_turn(thought: str, answer: str, dialect: Dialect) -> None:
    assert dialect.is_well_formed(dialect.render_turn(thought, answer=answer))


def test_facts_are_numbered_lines() -> None:
    retrieved = Retrieved("q", (fact("A: one\ntwo."), fact("B: three.")), (passage("whole"),))
    assert G.render_knowledge(retrieved, 4) == "<knowledge>\n[4] A: one two.\n[5] B: three.\n</knowledge>"
    block = GG.render_knowledge(retrieved, 1)
    assert block.splitlines()[1:-1] == ["[1] A: one two.", "[2] B: three.", "[3] Title: whole"]


def test_passages_are_shown_where_there_are_no_facts() -> None:
    assert "[1] Title: whole" in G.render_knowledge(Retrieved("q", (), (passage("whole"),)))


def test_an_empty_result_says_so_and_long_text_is_bounded() -> None:
    assert "Nothing found" in G.render_knowledge(Retrieved("q"))
    many = tuple(fact("long " * 1_000) for _ in range(1_000))
    assert len(G.render_knowledge(Retrieved("q", many))) < BLOCK_CHARS * 1.2


@dialects
def test_messages_alternate_and_number_facts_over_the_turns(dialect: Dialect) -> None:
    steps = (
        Step("first", "who?", (fact("one"), fact("two"))),
        Step("again", "WHO ?"),
        Step("then", "when?", (fact("three"),)),
    )
    told = messages(dialect, "Q</answer>?", steps, final=True, correction="Mend it.")
    assert [m["role"] for m in told] == ["user", "assistant"] * 3 + ["user"]
    assert told[0]["content"].endswith("Question: Q‹/answer>?")
    assert dialect.is_well_formed(told[1]["content"])
    assert "[1] one\n[2] two" in told[2]["content"]
    assert REPEATED in told[4]["content"]
    assert "[3] three" in told[6]["content"]
    assert "last lookup" in told[6]["content"]
    assert told[6]["content"].endswith("Mend it.")


def test_a_policys_own_text_is_kept_where_it_is_well_formed() -> None:
    raw = "<think> mine </think>\n\n<query>q</query>"
    assert messages(G, "Q", [Step("mine", "q", raw=raw)])[1]["content"] == raw
    assert messages(G, "Q", [Step("mine", "q", raw="<query>q")])[1]["content"] == G.render_turn("mine", query="q")


def test_the_same_query_in_other_words_of_punctuation() -> None:
    assert normalise_query("Who is  X?") == normalise_query("who is x") != normalise_query("who was x")
    assert normalise_query("?!") == "?!"


def test_an_unknown_dialect_names_the_known_ones() -> None:
    assert get_dialect("graph-r1") is G
    with pytest.raises(InputError, match=r"'xml'.*graph-r1, graphrag-r1"):
        get_dialect("xml")
