"""Asking in the browser: the steps as they happen, the answer, its sources and the graph."""

from __future__ import annotations

import json
import re
import threading
import time
from urllib.parse import parse_qs, urlsplit

from playwright.sync_api import Browser, Locator, expect

from clew.knowledge_base import KnowledgeBase
from clew.retrieval.registry import RECIPES
from clew.testing import ModelServer
from clew.testing.scripts import scripted
from clew.trajectories.read import open_trajectory
from clew.types import Json
from tests.browser.running import EXAMPLES, WIDE, Watched, ask, choose, overflow, press, settle, unfold, watched_page

QUESTION = "Where was the designer of the Skarn Head Lighthouse born?"


def test_a_question_shows_steps_answer_and_the_quoted_span(app: str, examples: KnowledgeBase, wide: Watched) -> None:
    page = wide.page
    page.goto(f"{app}/?kb={examples.name}")
    press(page, page.locator(".st-key-suggestions").get_by_role("button", name=QUESTION))
    answer = page.locator(".answer")
    expect(answer).to_be_visible()
    expect(page.locator(".question")).to_have_text(QUESTION)
    turns = page.locator(".turn")
    assert turns.count() >= 2
    expect(turns.first).to_be_hidden()
    press(page, page.get_by_text("How it was found"))
    expect(turns.first.locator(".query")).not_to_be_empty()

    press(page, turns.first.locator("summary"))
    fact = turns.first.locator(".fact").first
    expect(fact.locator(".text")).not_to_be_empty()
    assert fact.locator(".entities li").count() >= 1

    quotes = [quote.strip("“”") for quote in answer.locator(".citation .quote").all_text_contents()]
    pane, place = page.locator(".pane"), page.locator(".pane .bar [role=status]")
    for number in range(len(quotes)):
        press(page, answer.locator(".citation").nth(number))
        expect(place).to_have_text(f"{number + 1} of {len(quotes)}")
        expect(pane.locator("mark, .box").first).to_be_in_viewport()
    assert "".join(pane.locator("mark").all_text_contents()) == quotes[-1]
    assert len(quotes) > 1
    previous = pane.get_by_role("button", name="Previous citation")
    previous.press("Enter")
    expect(place).to_have_text(f"{len(quotes) - 1} of {len(quotes)}")
    expect(previous).to_be_focused()
    [id] = parse_qs(urlsplit(page.url).query)["trajectory"]
    assert examples.trajectory(id)["answer"] == answer.locator(".said > span").text_content()


def test_a_pdf_is_cited_on_its_page_with_its_words_boxed(app: str, examples: KnowledgeBase, wide: Watched) -> None:
    page = wide.page
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.goto(f"{app}/?kb={examples.name}")
    ask(page, "Who designed the New Maren Light?")
    pane = page.locator(".pane")
    expect(pane.get_by_role("img", name="Page 1 of New Maren Light")).to_be_in_viewport()
    paper, box = pane.locator(".paper").bounding_box(), pane.locator(".box.likely").bounding_box()
    assert paper
    assert box
    assert 0.1 < (box["x"] - paper["x"]) / paper["width"] < 0.9
    assert box["width"] < paper["width"] / 3
    press(page, pane.get_by_role("button", name="Copy"))
    expect(pane.get_by_role("button", name="Copied")).to_be_visible()
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied == "“It was designed by Josiah Marr and first lit on 21 October 1869.” – New Maren Light, p. 1"
    with page.expect_download() as download:
        press(page, page.get_by_role("button", name="Original"))
    assert download.value.path().read_bytes() == (EXAMPLES / "new-maren-light.pdf").read_bytes()
    press(page, pane.get_by_role("button", name="Text"))
    expect(pane.locator("mark.likely")).to_have_text("Josiah Marr")
    expect(pane.locator(".heading").first).to_have_text("New Maren Light")


def test_what_is_written_from_right_to_left_is_read_so(app: str, base: KnowledgeBase, wide: Watched) -> None:
    base.ingest_bytes("מגדל האור\n\nמגדל האור נבנה בשנת 1874. הוא עומד על הגבעה.".encode(), "tower.txt")
    page = wide.page
    page.goto(f"{app}/?kb={base.name}&policy=reader-guess")
    ask(page, "מתי נבנה מגדל האור?")
    said = page.locator(".answer .said > span")
    expect(said).to_contain_text("1874")
    assert _ends(said) == "left"
    mark = page.locator(".pane mark").first
    expect(mark).to_be_in_viewport()
    assert _ends(mark) == "left"
    settle(page)
    after = page.locator(".pane .text > span").last
    cited, following = mark.bounding_box(), after.bounding_box()
    assert cited
    assert following
    assert following["x"] < cited["x"]


def _ends(shown: Locator) -> str:
    """The side of its line on which a text ends."""
    return str(
        shown.evaluate(
            """element => {
                const text = element.firstChild
                const side = at => {
                    const range = document.createRange()
                    range.setStart(text, at)
                    range.setEnd(text, at + 1)
                    return range.getBoundingClientRect().left
                }
                return side(text.length - 1) < side(0) ? "left" : "right"
            }"""
        )
    )


def test_the_graph_is_walked_turn_by_turn_and_read_by_keyboard(
    app: str, examples: KnowledgeBase, wide: Watched
) -> None:
    page = wide.page
    page.goto(f"{app}/?kb={examples.name}")
    ask(page, "Who was born first, the designer of the Old Maren Light or the designer of the New Maren Light?")
    expect(page.locator(".answer")).to_be_visible()
    press(page, page.get_by_role("radio", name="Graph"))
    expect(page.locator(".node.fact.used").first).to_be_visible()
    everything = page.locator(".node:not(.later)").count()
    walk = page.get_by_role("slider", name="Turns shown")
    walk.fill("1")
    assert 0 < page.locator(".node:not(.later)").count() < everything

    page.locator(".node").first.focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    details = page.locator(".graph .details")
    expect(details).to_contain_text("Fact")
    press(page, details.locator(".source").first)
    expect(page.locator(".pane mark, .pane .box").first).to_be_in_viewport()


def test_what_is_not_known_says_what_was_looked_at(model: ModelServer, llm_app: str, wide: Watched) -> None:
    unknown = "<think>No.</think><answer>I don't know</answer>"
    model.script = scripted(["<think>?</think><query>Maren</query>", unknown, unknown])
    page = wide.page
    page.goto(f"{llm_app}/?policy=llm")
    ask(page, "What is the melting point of lead?")
    best = page.locator(".answer.unknown .sentence > span").text_content()
    press(page, page.locator(".pane").get_by_role("button", name="Text"))
    expect(page.locator(".pane mark").first).to_be_in_viewport()
    assert best
    assert "".join(page.locator(".pane mark").all_text_contents()) == best
    expect(page.locator(".answer .verdict")).to_contain_text("Read this")
    ask(page, "And of tin?")
    expect(page.locator(".question")).to_have_count(2)
    expect(page.locator(".answer")).to_have_count(2)
    assert f"Earlier answer: Most likely here: “{best}”" in str(model.requests[-1]["messages"])


def test_a_long_answer_of_a_model_is_drawn_with_its_markers_and_goes_on_where_it_was_cut(
    model: ModelServer, llm_app: str, wide: Watched
) -> None:
    built = (
        "## Who built it\n\n- **Ruben Calloway** designed the Old Maren Light [1]\n\n| A | B |\n|---|---|\n| 1 | 2 |"
    )
    cut = f"<think>[1] says it.</think><answer>{built}\n\n{'and so on ' * 600}"
    asked = "<think>I look.</think><query>Who designed the Old Maren Light?</query>"
    model.script = scripted([asked, cut, cut, "<think>Then?</think><answer>It burnt for a century.</answer>"])
    page = wide.page
    page.goto(f"{llm_app}/?policy=llm")
    ask(page, "Tell me about the Old Maren Light")
    said = page.locator(".answer .said")
    expect(said.locator("h4")).to_have_text("Who built it")
    expect(said.locator("td")).to_have_text(["1", "2"])
    expect(said.locator(".doubt").first).to_have_attribute("title", "No cited sentence says this.")
    expect(said.locator("li .doubt")).to_have_count(0)
    mark = said.locator("li .mark")
    expect(mark).to_have_text("1")
    assert len(mark.get_attribute("title") or "") > 20
    press(page, mark)
    expect(page.locator(".pane mark, .pane .box").first).to_be_visible()
    press(page, page.get_by_role("button", name="Cut off: go on"))
    expect(page.locator(".question").last).to_contain_text("(Go on after: “…")
    expect(page.locator(".answer").last).to_contain_text("It burnt for a century")


def test_what_a_model_says_of_its_own_is_small_above_the_nearest_sentences(
    model: ModelServer, llm_app: str, wide: Watched
) -> None:
    asked = "<think>?</think><query>Who designed the Old Maren Light?</query>"
    model.script = scripted([asked, "<think>I guess.</think><answer>Zebulon Quartz</answer>"])
    page = wide.page
    page.goto(f"{llm_app}/?policy=llm")
    ask(page, "Who designed the Old Maren Light?")
    expect(page.locator(".answer .badge")).to_have_text("Not in the documents")
    expect(page.locator(".said.small")).to_have_text("Zebulon Quartz")
    expect(page.locator(".citations .quote").first).to_contain_text("Ruben Calloway")


def test_a_follow_up_is_asked_with_what_was_said_before(model: ModelServer, llm_app: str, wide: Watched) -> None:
    model.script = scripted(
        [
            "<think>I look.</think><query>Old Maren Light designer</query>",
            "<think>[1] says it.</think><answer>Ruben Calloway</answer>",
            "<think>Still known.</think><answer>In Quellan</answer>",
        ]
    )
    page = wide.page
    page.goto(f"{llm_app}/?policy=llm")
    ask(page, "Who designed the Old Maren Light?")
    expect(page.locator(".answer")).to_contain_text("Ruben Calloway")
    ask(page, "Where was he born?")
    expect(page.locator(".answer").nth(1)).to_contain_text("In Quellan")
    assert "Earlier answer: Ruben Calloway" in str(model.requests[-1]["messages"])
    press(page, page.get_by_role("button", name="New conversation"))
    expect(page.locator(".answer")).to_have_count(0)


def test_a_silent_model_can_be_stopped(model: ModelServer, llm_app: str, wide: Watched) -> None:
    def silence(messages: list[Json], request: Json) -> str:
        time.sleep(20)
        return "<think>Late.</think><answer>Too late</answer>"

    model.script = silence
    page = wide.page
    page.goto(f"{llm_app}/?policy=llm")
    ask(page, "Who is slow?")
    expect(page.get_by_role("status").filter(has_text="Thinking")).to_be_visible()
    page.get_by_role("button", name="Stop").click()
    expect(page.locator(".answer .verdict")).to_contain_text("Stopped", timeout=10_000)
    expect(page.get_by_test_id("stException")).to_have_count(0)
    expect(page.get_by_test_id("stChatInputTextArea")).to_be_enabled()


def test_a_running_answer_is_found_again_after_a_reload_and_by_back_and_forward(
    model: ModelServer, llm_app: str, wide: Watched
) -> None:
    let_go = threading.Event()

    def slow(messages: list[Json], request: Json) -> str:
        let_go.wait(60)
        return "<think>I know.</think><answer>Ruben Calloway</answer>"

    model.script = scripted(["<think>I know.</think><answer>In Quellan</answer>"])
    page = wide.page
    page.goto(f"{llm_app}/?policy=llm")
    ask(page, "Where was he born?")
    expect(page.locator(".answer")).to_contain_text("In Quellan")
    settle(page)
    model.script = slow
    ask(page, "Who designed the Old Maren Light?")
    stop = page.get_by_role("button", name="Stop")
    expect(stop).to_be_visible()
    expect(page).to_have_url(re.compile("trajectory="))
    page.go_back()
    expect(stop).to_have_count(0)
    expect(page.locator(".answer")).to_contain_text("In Quellan")
    page.go_forward()
    expect(stop).to_be_visible()
    page.reload()
    expect(stop).to_be_visible()
    expect(page.locator(".question")).to_have_text(["Where was he born?", "Who designed the Old Maren Light?"])
    let_go.set()
    expect(page.locator(".answer").last).to_contain_text("Ruben Calloway")
    page.reload()
    expect(page.locator(".answer").last).to_contain_text("Ruben Calloway")


def test_back_from_the_first_answer_leads_to_the_start(app: str, examples: KnowledgeBase, wide: Watched) -> None:
    page = wide.page
    page.goto(f"{app}/?kb={examples.name}")
    press(page, page.locator(".st-key-suggestions").get_by_role("button", name=QUESTION))
    answer = page.locator(".answer")
    expect(answer).to_be_visible()
    expect(page.get_by_role("heading", level=1)).to_have_text("Ask the documents")
    settle(page)
    page.go_back()
    expect(page.locator(".st-key-suggestions").get_by_role("button", name=QUESTION)).to_be_visible()
    expect(answer).to_have_count(0)
    page.go_forward()
    expect(answer).to_be_visible()
    press(page, page.get_by_role("link", name="Health"))
    expect(page.get_by_role("heading", name="Settings and health")).to_be_visible()
    press(page, page.get_by_role("link", name="Ask"))
    expect(answer).to_be_visible()


def test_a_cited_document_that_was_deleted_since_says_so(app: str, base: KnowledgeBase, wide: Watched) -> None:
    base.ingest_bytes(b"Orla Finch built the Tarn Mill in 1850.", "mill.txt")
    base.ingest_bytes(b"Kesh Arden painted the Blue Door in 1901.", "door.txt")
    trajectory = base.ask("Who built the Tarn Mill?")
    assert trajectory.citations
    cited = {citation.document for citation in trajectory.citations}
    page = wide.page
    page.set_viewport_size({"width": 1400, "height": 420})
    page.goto(f"{app}/?kb={base.name}&trajectory={trajectory.id}")
    expect(page.locator(".citation").first).to_be_visible()
    page.wait_for_timeout(1_500)  # a new answer would have come into view by then
    expect(page.locator(".question")).to_be_in_viewport()
    base.delete_documents(*cited)
    press(page, page.locator(".citation").first)
    expect(page.get_by_test_id("stToast")).to_contain_text("has been deleted since")
    page.reload()
    expect(page.locator(".citation.gone").first).to_contain_text("This document has been deleted since.")
    expect(page.locator(".badge")).to_have_text("Outdated")
    expect(page.locator(".answer button")).to_have_count(0)


def test_a_failing_model_is_one_line_with_what_to_do(model: ModelServer, llm_app: str, wide: Watched) -> None:
    model.script = scripted([])
    page = wide.page
    page.goto(f"{llm_app}/?policy=llm")
    ask(page, "Who fails?")
    alert = page.get_by_role("alert")
    expect(alert).to_contain_text("The script has only 0 replies")
    expect(page.get_by_role("button", name="Ask again")).to_be_visible()


def test_everything_fits_a_narrow_window(app: str, examples: KnowledgeBase, narrow: Watched) -> None:
    page = narrow.page
    page.goto(f"{app}/?kb={examples.name}")
    expect(page.locator(".st-key-suggestions").get_by_role("button", name=QUESTION)).to_be_visible()
    assert overflow(page) <= 0
    press(page, page.locator(".st-key-suggestions").get_by_role("button", name=QUESTION))
    expect(page.locator(".answer")).to_be_in_viewport()
    assert overflow(page) <= 0
    press(page, page.get_by_role("button", name="Ask another way"))
    expect(page.get_by_role("menuitem", name="reader-guess")).to_be_in_viewport(ratio=1)
    page.keyboard.press("Escape")
    press(page, page.locator(".mark").first)
    expect(page.locator(".pane mark, .pane .box").first).to_be_in_viewport()
    assert overflow(page) <= 0
    page.goto(f"{app}/documents?kb={examples.name}")
    expect(page.get_by_text(f"In {examples.name}")).to_be_visible()
    assert overflow(page) <= 0


def test_an_answer_is_said_aloud_stays_in_view_and_gives_the_field_back(
    app: str, examples: KnowledgeBase, chromium: Browser
) -> None:
    for size in (WIDE, (420, 600)):
        with watched_page(chromium, size) as watched:
            page = watched.page
            page.goto(f"{app}/?kb={examples.name}")
            ask(page, "Who designed the New Maren Light?")
            expect(page.locator("body > [aria-live]")).to_have_text(re.compile("^(Sure|Probable): Josiah Marr$"))
            expect(page.locator(".pane img")).to_be_attached()
            expect(page.get_by_test_id("stChatInputTextArea")).to_be_focused()
            page.wait_for_timeout(2_500)  # the page grows, and would stay at its end
            expect(page.locator(".answer .said")).to_be_in_viewport()
            settle(page)
            page.mouse.wheel(0, 700)
            numbers = page.locator(".answer .mark").all_inner_texts()
            press(page, page.get_by_text("How it was found"))
            thought = page.locator(".turn .thought").last.inner_text()
            assert re.findall(r"\[(\d+)\]", thought) == numbers
            press(page, page.get_by_role("radio", name="Graph"))
            expect(page.locator(".node.fact.used .number")).to_have_text(numbers)
            watched.check()


def test_an_answer_is_judged_shared_and_taken_along(
    app: str, examples: KnowledgeBase, wide: Watched, chromium: Browser
) -> None:
    page = wide.page
    page.goto(f"{app}/?kb={examples.name}")
    ask(page, QUESTION)
    expect(page.locator(".answer")).to_be_visible()
    press(page, page.get_by_test_id("stFeedback").locator("button").last)
    box = page.get_by_role("textbox", name="What is wrong with it?")
    settle(page)
    box.fill("<b>Not</b> the place")
    page.get_by_role("radiogroup", name="Which sentence answers it?").get_by_text("No sentence does").click()
    page.get_by_role("textbox", name="The right answer?").fill("Skarn")
    press(page, page.get_by_role("button", name="Save", exact=True))
    expect(page.get_by_text("It is kept")).to_be_visible()
    id = parse_qs(urlsplit(page.url).query)["trajectory"][0]
    stored = open_trajectory(examples, id)
    assert (stored.rating, stored.comment) == (-1, "<b>Not</b> the place")

    press(page, page.get_by_role("button", name="Share"))
    address = page.get_by_test_id("stCode").inner_text().replace("\n", "").strip()
    page.keyboard.press("Escape")
    press(page, page.get_by_role("button", name="Export"))
    suffixes = {"JSON": "json", "Markdown": "md", "Training example": "jsonl"}
    contents = {}
    for label, suffix in suffixes.items():
        with page.expect_download() as download:
            press(page, page.get_by_role("button", name=label, exact=True))
        assert download.value.suggested_filename.endswith(f".{suffix}")
        contents[label] = download.value.path().read_text("utf-8")
    assert json.loads(contents["JSON"])["comment"] == "<b>Not</b> the place"
    assert stored.trajectory.answer in contents["Markdown"]
    assert "<answer>" in json.loads(contents["Training example"])["messages"][-1]["content"]

    with watched_page(chromium) as other:
        other.page.goto(address)
        expect(other.page.locator(".question")).to_have_text(QUESTION)
        expect(other.page.locator(".said > span")).to_have_text(stored.trajectory.answer)
        expect(other.page.locator(".turn")).to_have_count(page.locator(".turn").count())
        expect(other.page.get_by_role("textbox", name="What is wrong with it?")).to_have_value("<b>Not</b> the place")
        press(other.page, other.page.get_by_role("button", name="New conversation"))
        expect(other.page.locator(".answer")).to_have_count(0)
        expect(other.page).not_to_have_url(re.compile("trajectory="))
        other.page.goto(f"{app}/?trajectory={id}")
        expect(other.page.locator(".question")).to_have_text(QUESTION)
        other.check()
    press(page, page.get_by_role("button", name="Evaluate these"))
    expect(page.get_by_role("combobox", name="Questions", exact=True)).to_have_value("Answers that were corrected")
    expect(page.locator(".st-key-evaluation-form")).to_contain_text("1 question about")
    page.goto(f"{app}/trajectories?kb={examples.name}")
    press(page, page.get_by_role("button", name="Train on these"))
    chosen = page.get_by_role("combobox", name="Questions to learn from")
    expect(chosen).to_have_value(f"{examples.name}-corrections")


def test_an_address_that_leads_nowhere_says_so_until_a_question_is_asked(
    app: str, examples: KnowledgeBase, wide: Watched
) -> None:
    page = wide.page
    page.goto(f"{app}/?kb={examples.name}&trajectory=gone")
    alert = page.get_by_role("alert").filter(has_text="gone")
    expect(alert).to_be_visible()
    unfold(page, "Options")
    choose(page, re.compile("Retrieval"), "words")
    expect(page).to_have_url(re.compile("strategy=words"))
    settle(page)
    expect(alert).to_be_visible()
    press(page, page.locator(".st-key-suggestions").get_by_role("button", name=QUESTION))
    expect(page.locator(".answer")).to_be_visible()
    expect(alert).to_have_count(0)
    expect(page).not_to_have_url(re.compile("trajectory=gone"))


def test_a_question_is_kept_to_documents_by_what_they_say_of_themselves(
    app: str, base: KnowledgeBase, examples: KnowledgeBase, wide: Watched
) -> None:
    rows = ("author,text", "Anna Berg,The Corran quay cost 40 crowns.", "Jon Ek,The Corran quay cost 90 crowns.")
    base.ingest_bytes("\n".join(rows).encode(), "quays.csv")
    page = wide.page
    page.goto(f"{app}/?kb={base.name}&policy=reader-guess")
    unfold(page, "Options")
    kept = page.get_by_role("combobox", name="Only documents with")
    kept.press("ArrowDown")
    kept.press_sequentially("author=Anna Berg")
    expect(page.get_by_role("option", name="author=Anna Berg", exact=True)).to_be_visible()
    kept.press("Enter")
    kept.press("Escape")
    expect(page).to_have_url(re.compile("only=author%3DAnna"))
    ask(page, "What did the Corran quay cost?")
    expect(page.locator(".answer .meta")).to_contain_text("only author=Anna Berg")
    expect(page.locator(".answer .said")).to_contain_text("40 crowns")

    page.reload()
    expect(page.get_by_text("Only documents with author=Anna Berg")).to_be_visible()
    choose(page, "Knowledge base", examples.name)
    expect(page).not_to_have_url(re.compile("only="))
    expect(page.get_by_text("Only documents with author=Anna Berg")).to_have_count(0)


def test_a_node_is_expanded_in_the_same_graph(app: str, examples: KnowledgeBase, wide: Watched) -> None:
    page = wide.page
    page.goto(f"{app}/?kb={examples.name}")
    ask(page, QUESTION)
    expect(page.locator(".answer")).to_be_visible()
    press(page, page.get_by_role("radio", name="Graph"))
    entity = page.locator(".node.entity.used").first
    entity.press("Enter")
    details = page.locator(".graph .details")
    expect(details).to_contain_text("Entity · in")
    before = page.locator(".node").count()
    entity.press("Enter")
    expect(page.locator(".node.grown").first).to_be_attached()
    expect(page.locator(".graph")).to_have_count(1)
    assert before < page.locator(".node").count() <= before + 30
    expect(details).to_contain_text("drawn around it")
    fact = page.locator(".node.fact.grown").first
    fact.press("Enter")
    expect(details).to_contain_text("Fact nearby")
    assert details.locator(".members .goto").count() >= 1
    press(page, details.locator(".source").first)
    expect(page.locator(".pane mark, .pane .box").first).to_be_in_viewport()


def test_the_turns_are_walked_by_the_legend(app: str, examples: KnowledgeBase, wide: Watched) -> None:
    page = wide.page
    page.goto(f"{app}/?kb={examples.name}")
    ask(page, QUESTION)
    expect(page.locator(".answer")).to_be_visible()
    press(page, page.get_by_role("radio", name="Graph"))
    press(page, page.get_by_role("button", name="turn 1"))
    expect(page.get_by_role("slider", name="Turns shown")).to_have_value("1")
    assert page.locator(".node.later").count() > 0


def test_choices_are_told_and_remembered(model: ModelServer, llm_app: str, wide: Watched) -> None:
    page = wide.page
    page.goto(f"{llm_app}/?policy=llm&strategy=words")
    unfold(page, "Options")
    expect(page.get_by_text(RECIPES["words"].description[:40])).to_be_visible()
    expect(page.get_by_role("combobox", name=re.compile("Model"))).to_have_value(model.model)
    choose(page, re.compile("Retrieval"), "clew")
    expect(page).not_to_have_url(re.compile("strategy=words"))
    page.reload()
    unfold(page, "Options")
    expect(page.get_by_role("combobox", name=re.compile("Who answers"))).to_have_value("llm")
