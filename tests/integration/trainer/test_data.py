"""Questions and demonstrations made from a real graph."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest
from click.testing import CliRunner

from clew.agent.protocol import get_dialect
from clew.errors import InputError, ModelError
from clew.evaluation.coverage import missing_supporting
from clew.evaluation.datasets import load_questions
from clew.evaluation.metrics import normalize_answer
from clew.knowledge_base import KnowledgeBase
from clew.testing import Fault, ModelServer, agent, at_rate, schedule
from clew.text.values import compare_dates, date
from clew.trainer.data.comparisons import with_comparisons
from clew.trainer.data.data_commands import demonstrations, questions
from clew.trainer.data.demonstrations import by_model, by_oracle, fault
from clew.trainer.data.feedback import approved_questions, split_questions
from clew.trainer.data.questions import Synthetic, reworded, split_by_region, synthesise
from clew.trainer.data.relations import read_relations
from clew.trajectories.store import rate_trajectory, store_trajectory
from clew.types import Document, Json, Trajectory


@pytest.fixture(scope="module")
def made(encyclopaedia: KnowledgeBase) -> list[Synthetic]:
    return synthesise(encyclopaedia.database, encyclopaedia.name, 100)


def test_questions_have_one_to_four_hops_and_read_like_questions(made: list[Synthetic]) -> None:
    assert set(Counter(question.hops for question in made)) == {1, 2, 3, 4}
    assert len({question.question for question in made}) == len(made)
    texts = {question.question for question in made}
    assert any(text.startswith("When ") and text.endswith((" die?", " born?")) for text in texts)
    assert all(text.endswith("?") and "\n" not in text for text in texts)


def test_every_hop_is_stated_by_its_fact_and_leads_to_the_next_page(
    made: list[Synthetic], encyclopaedia: KnowledgeBase
) -> None:
    ids = [relation.fact for question in made for relation in question.walk]
    rows = encyclopaedia.database.read("retrieve/describe", hyperedges=ids, chunks=[], places=[])
    texts = {row["id"]: row["row"]["text"] for row in rows}
    for question in made:
        for relation, following in zip(question.walk, question.walk[1:], strict=False):
            assert relation.answer_page == following.page
        assert all(relation.answer in texts[relation.fact] for relation in question.walk)
        asked = f" {normalize_answer(question.question)} "
        assert not any(f" {normalize_answer(answer)} " in asked for answer in question.answers)


def test_what_a_page_says_twice_of_different_names_is_not_asked(kb: KnowledgeBase) -> None:
    text = "Ada Bell is an English pilot. Ada Bell married Tom Reed. Ada Bell lived in York. Ada Bell married Joe Hart."
    page = Document("d" * 20, kb.name, "Ada Bell", "upload:ada", text, "0" * 64)
    kb.ingest_documents(iter([page]))
    told = {relation.phrase: relation.answer for relation in read_relations(kb.database, kb.name).relations}
    assert "married" not in told
    assert told["lived in"] == "York"
    assert any("Where did Ada Bell live?" in question.question for question in synthesise(kb.database, kb.name, 10))


@pytest.mark.parametrize(
    ("said", "asked"),
    [
        ("is a novel by Tom Reed.", "The Bell is a novel by whom?"),
        ("was written and directed by Tom Reed.", "Who wrote and directed The Bell?"),
        ("is the capital of Iskeld.", "The Bell is the capital of what?"),
        ("represents Iskeld.", "What does The Bell represent?"),
        ("studied at Ansby School.", "Where did The Bell study?"),
    ],
)
def test_a_question_of_one_fact_ends_as_people_end_it(said: str, asked: str, kb: KnowledgeBase) -> None:
    page = Document("d" * 20, kb.name, "The Bell", "upload:bell", f"The Bell {said}", "0" * 64)
    kb.ingest_documents(iter([page]))
    assert asked in {question.question for question in synthesise(kb.database, kb.name, 10)}


@pytest.mark.parametrize(
    ("name", "text", "asked"),
    [
        (
            "Prices.md",
            "| Ticket | Fee | Since |\n|---|---|---|\n| Adult | 12 euros | 2019 |\n| Child | 6 euros | 2021 |\n",
            {"What is the fee of Child in Prices?": "6 euros", "What is “Since” for Adult in Prices?": "2019"},
        ),
        ("rates.csv", "name,fee (EUR)\nalpha,3\nbeta,4\n", {"What is the fee of beta in rates?": "4"}),
        ("bike.csv", "property,value\nRange,60 km\nWeight,34 kg\n", {"What is the weight of bike?": "34 kg"}),
        (
            "lease.md",
            "## Rent\n\nThe deposit is 900 euros. It must be paid on time.\n",
            {"Which figure is missing in this sentence about Rent: “The deposit is ___ euros”?": "900"},
        ),
        (
            "rules.txt",
            "dogs must always be kept on a lead here.",
            {"Which word is missing in this sentence about rules: “dogs must ___ be kept on a lead here”?": "always"},
        ),
    ],
)
def test_documents_of_all_kinds_give_questions_and_demonstrations(
    name: str, text: str, asked: dict[str, str], kb: KnowledgeBase
) -> None:
    kb.ingest_bytes(text.encode(), name)
    made = synthesise(kb.database, kb.name, 20)
    told = {question.question: question.answers[0] for question in made}
    assert told | asked == told
    kept = by_oracle([question.row() for question in made], kb.strategy("hyperedges"), get_dialect("graph-r1"), 5)
    assert len(kept.rows) == len(made), kept.dropped


def test_two_questions_of_one_relation_are_compared(made: list[Synthetic], encyclopaedia: KnowledgeBase) -> None:
    mixed = with_comparisons(made, (1, 2, 3, 4))
    found = [question for question in mixed if question.compares]
    assert len(mixed) == len(made)
    assert found
    for question in found:
        left, right = question.walk[: question.hops // 2], question.walk[question.hops // 2 :]
        assert [one.phrase for one in left] == [one.phrase for one in right]
        order = compare_dates(date(left[-1].answer), date(right[-1].answer))
        later = "later" in question.question or "younger" in question.question
        assert question.answers == ((left if (order == -1) != later else right)[0].subject,)
    rows = [question.row() for question in found]
    kept = by_oracle(rows, encyclopaedia.strategy("graph-r1"), get_dialect("graph-r1"), 10)
    assert len(kept.rows) >= len(rows) / 2
    assert all(f"So it is {row['answers'][0]}." in row["turns"][-1]["text"] for row in kept.rows)
    assert not any(question.compares for question in with_comparisons(made, (1,)))


def test_splits_share_neither_fact_nor_page(made: list[Synthetic]) -> None:
    single = [question for question in made if question.hops == 1]
    split = split_by_region(single, {"dev": 0.2, "test": 0.2})
    assert set(split.values()) >= {"train", "test"}
    pages: dict[str, set[str]] = {}
    for question in single:
        for relation in question.walk:
            places = {relation.fact, relation.page, relation.answer_page} - {""}
            pages.setdefault(split[question.id], set()).update(places)
    names = sorted(pages)
    assert all(not pages[a] & pages[b] for a in names for b in names if a < b)


def test_the_same_seed_makes_the_same_questions(made: list[Synthetic], encyclopaedia: KnowledgeBase) -> None:
    assert synthesise(encyclopaedia.database, encyclopaedia.name, 100) == made
    assert synthesise(encyclopaedia.database, encyclopaedia.name, 100, seed=1) != made


def test_a_rewording_that_tells_the_answer_is_not_taken(made: list[Synthetic]) -> None:
    def talkative(question: str) -> str:
        return f"{question} Is it the Merrow Isles, or 30 April 1897?"

    told = [reworded(question, talkative) for question in made]
    assert any("Is it the Merrow Isles" in question.question for question in told)
    for question in told:
        if {"Merrow Isles", "30 April 1897"} & set(question.answers):
            assert "Is it the Merrow Isles" not in question.question


@pytest.mark.parametrize(("name", "strategy"), [("graph-r1", "graph-r1"), ("graphrag-r1", "hybrid-text3-graph10")])
def test_oracle_demonstrations_are_valid(
    made: list[Synthetic], encyclopaedia: KnowledgeBase, name: str, strategy: str
) -> None:
    dialect = get_dialect(name)
    rows = [question.row() for question in made[:24]]
    kept = by_oracle(rows, encyclopaedia.strategy(strategy), dialect, 10)
    assert len(kept.rows) + sum(kept.dropped.values()) == len(rows)
    assert len(kept.rows) >= len(rows) / 2
    for row in kept.rows:
        assert fault(row, dialect) == ""
        assert all(dialect.is_well_formed(turn["text"]) for turn in row["turns"])


def test_faulty_demonstrations_are_named() -> None:
    dialect = get_dialect("graph-r1")
    asked = {
        "text": dialect.render_turn("t", query="Ada"),
        "knowledge": "<knowledge>\n[1] Ada died in York.\n</knowledge>",
    }
    right = {"text": dialect.render_turn("t", answer="York"), "knowledge": ""}
    wrong = {"text": dialect.render_turn("t", answer="Paris"), "knowledge": ""}
    torn = {"text": "<think>t</think>York", "knowledge": ""}

    def told(*turns: dict[str, str]) -> str:
        return fault({"turns": list(turns), "answers": ["York"]}, dialect)

    assert told(asked, right) == ""
    assert told(right) == "nothing was looked up"
    assert told(asked, asked, right) == "a query comes twice"
    assert told(asked, wrong) == "the answer is wrong"
    assert told(asked, torn) == "a turn is malformed"
    assert told({**asked, "knowledge": "nothing"}, right) == "the answer does not stand in what came back"


def test_the_commands_write_files_that_are_read_back(
    encyclopaedia: KnowledgeBase, environment: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for variable, value in environment.items():
        monkeypatch.setenv(variable, value)
    runner, folder = CliRunner(), tmp_path / "questions"
    arguments = [str(folder), "--kb", encyclopaedia.name, "--count", "20", "--hops", "1,2", "--test", "0.2"]
    done = runner.invoke(questions, arguments)
    assert done.exit_code == 0, done.output
    loaded = load_questions(folder / "train.jsonl")
    assert loaded[0].supporting
    assert missing_supporting(encyclopaedia, loaded)[0] == 0
    assert {question.hops for question in loaded} <= {1, 2}
    out = tmp_path / "demonstrations.jsonl"
    done = runner.invoke(demonstrations, [str(folder / "train.jsonl"), str(out), "--kb", encyclopaedia.name])
    assert done.exit_code == 0, done.output
    assert json.loads(out.read_text().splitlines()[0])["dialect"] == "graph-r1"
    again = runner.invoke(questions, arguments)
    assert isinstance(again.exception, InputError)
    assert "exists already" in str(again.exception)
    none = runner.invoke(questions, [str(tmp_path / "t"), "--kb", encyclopaedia.name, "--from", "trajectories"])
    assert "rated good yet" in str(none.exception)


def test_a_model_words_questions_and_finds_its_own_way(
    encyclopaedia: KnowledgeBase, environment: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    walk = agent()

    def reply(messages: list[Json], request: Json) -> str:
        task = str(messages[0]["content"])
        return f"Please tell\ud83d: {task.splitlines()[-1]}" if task.startswith("Reword") else walk(messages, request)

    runner, folder, out = CliRunner(), tmp_path / "questions", tmp_path / "demonstrations.jsonl"
    with ModelServer(reply) as server:
        own = {"CLEW_LLM_MODEL": server.model, "CLEW_LLM_BASE_URL": server.base_url, "CLEW_LLM_RETRIES": "0"}
        for variable, value in (environment | own).items():
            monkeypatch.setenv(variable, value)
        arguments = [str(folder), "--kb", encyclopaedia.name, "--count", "12", "--hops", "1", "--test", "0", "--llm"]
        done = runner.invoke(questions, arguments)
        assert done.exit_code == 0, done.output
        rows = [json.loads(line) for line in (folder / "train.jsonl").read_text().splitlines()]
        assert all(row["question"].startswith("Please tell?: ") for row in rows)

        arguments = [str(folder / "train.jsonl"), str(out), "--kb", encyclopaedia.name, "--by", "llm"]
        server.faults = at_rate(1.0, Fault("status"))
        failed = runner.invoke(demonstrations, arguments)
        assert isinstance(failed.exception, ModelError)
        server.faults = schedule()
        done = runner.invoke(demonstrations, arguments)
        assert done.exit_code == 0, done.output
        kept = [json.loads(line) for line in out.read_text().splitlines()]
        assert kept
        assert all(fault(row, get_dialect(row["dialect"])) == "" for row in kept)
        assert not out.with_name(f"{out.name}.journal").exists()


def test_what_a_model_has_written_is_not_paid_for_twice(
    made: list[Synthetic], encyclopaedia: KnowledgeBase, tmp_path: Path
) -> None:
    dialect, journal = get_dialect("graph-r1"), tmp_path / "journal"
    rows = [question.row() for question in made if question.hops == 1][:6]
    strategy = encyclopaedia.strategy("graph-r1")
    with ModelServer(agent()) as server:
        settings = encyclopaedia.settings.model_copy(
            update={"llm_model": server.model, "llm_base_url": server.base_url}
        )
        base = KnowledgeBase(encyclopaedia.name, encyclopaedia.database, settings)
        journal.write_text('{"id": "tor')
        first = by_model(rows[:4], base, strategy, dialect, 5, 4, journal)
        with journal.open("a") as file:
            file.write('{"id": "tor')
        paid, told = len(server.requests), list[int]()
        again = by_model(rows, base, strategy, dialect, 5, 4, journal, on_done=told.append)
        assert told == [4, 1, 1]
        assert 2 <= len(server.requests) - paid <= 2 * 4
        assert again.rows[: len(first.rows)] == first.rows
        assert len(again.rows) + sum(again.dropped.values()) == 6
        with pytest.raises(InputError, match="of other questions"):
            by_model(rows[2:], base, strategy, dialect, 5, 4, journal)
        with pytest.raises(InputError, match="another dialect"):
            by_model(rows, base, strategy, get_dialect("graphrag-r1"), 5, 4, journal)


def test_answers_that_people_rated_good_become_questions(kb: KnowledgeBase) -> None:
    text = "Ada Bell is an English pilot. Ada Bell lived in York."
    kb.ingest_documents(iter([Document("e" * 20, kb.name, "Ada Bell", "upload:ada", text, "0" * 64)]))
    for number, (rating, answered) in enumerate([(1, True), (-1, True), (0, True), (1, False)]):
        id, question = f"{kb.name}-{number}", f"Where did Ada Bell live ({number})?"
        asked = Trajectory(id, kb.name, question, "York", answered, (), (), "llm", "clew", 0.1)
        store_trajectory(kb.database, asked)
        if rating:
            rate_trajectory(kb.database, kb.name, id, rating)
    [row] = approved_questions(kb, 10)
    assert (row["question"], row["answers"]) == ("Where did Ada Bell live (0)?", ["York"])
    split = split_questions([{"id": i} for i in range(10)], {"dev": 0.2, "test": 0.1}, 0)
    assert {name: len(rows) for name, rows in split.items()} == {"train": 7, "dev": 2, "test": 1}
