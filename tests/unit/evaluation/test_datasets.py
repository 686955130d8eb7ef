"""Question sets: a few hand-written rows in each original format, Clew's own folders, and files that are no good."""

from __future__ import annotations

import csv
import io
import json
import tracemalloc
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

import pytest

from clew.errors import InputError
from clew.evaluation.datasets import Question, Support, load_questions, write_corpus

ROOT = Path(__file__).parents[3]
SHARED = ROOT.parent / "shared" / "data"

HOTPOT = {
    "_id": "5a8b",
    "question": "Were the Maren Light and the Ansby Mill built by one man?",
    "answer": "yes",
    "type": "comparison",
    "level": "hard",
    "supporting_facts": [["Maren Light", 0], ["Ansby Mill", 1], ["Ansby Mill", 0]],
    "context": [
        ["Maren Light", ["Ruben built it.", " It is tall."]],
        ["Elleray", ["A town."]],
        ["Empty", []],
        ["Ansby Mill", ["A mill.", " Ruben built it."]],
    ],
}
WIKI2 = {
    "_id": "2w1",
    "type": "compositional",
    "question": "Where was the builder of the Maren Light born?",
    "answer": "Elleray",
    "supporting_facts": [["Maren Light", 0], ["Ruben", 0]],
    "evidences": [["Maren Light", "builder", "Ruben"], ["Ruben", "place of birth", "Elleray"]],
    "context": [["Maren Light", ["Ruben built it.", "It is tall."]], ["Mill", ["Grain."]]],
}
MUSIQUE = {
    "id": "2hop__12_34",
    "question": "Where was the builder of the Maren Light born?",
    "answer": "Elleray",
    "answer_aliases": ["Elleray Town", "Elleray"],
    "answerable": True,
    "question_decomposition": [
        {"id": 12, "question": "Maren Light >> builder", "answer": "Ruben", "paragraph_support_idx": 0},
        {"id": 34, "question": "#1 >> place of birth", "answer": "Elleray", "paragraph_support_idx": 2},
    ],
    "paragraphs": [
        {"idx": 0, "title": "Maren Light", "paragraph_text": "Ruben built it.", "is_supporting": True},
        {"idx": 1, "title": "Ruben", "paragraph_text": "Ruben had a dog.", "is_supporting": False},
        {"idx": 2, "title": "Ruben", "paragraph_text": "Ruben was born in Elleray.", "is_supporting": True},
    ],
}
UNANSWERABLE = {**MUSIQUE, "answerable": False, "paragraphs": MUSIQUE["paragraphs"][:2]}  # type: ignore[index]
POPQA = (
    "id\tsubj\tprop\tobj\tquestion\tpossible_answers\n"
    '42\tMaren\toccupation\tpilot\tWhat is Maren\'s occupation?\t"[""pilot"", ""harbour pilot""]"\n'
)
TRIVIA = {
    "Data": [
        {
            "Question": "Which colour was the first lamp of Maren?",
            "QuestionId": "tc_1",
            "Answer": {
                "Value": "Sea-green",
                "Aliases": ["Sea-green", "Turquoise"],
                "NormalizedAliases": ["sea green", "turquoise"],
                "Type": "FreeForm",
            },
            "EntityPages": [{"Title": "Maren", "Filename": "Maren.txt"}],
        }
    ],
    "Domain": "unfiltered-web",
}
DPR = {
    "dataset": "nq_dev_psgs_w100",
    "question": "who built the maren light",
    "answers": ["Ruben"],
    "positive_ctxs": [{"title": "Maren Light", "text": "Ruben built it.", "score": 1000, "passage_id": "1"}],
    "negative_ctxs": [],
    "hard_negative_ctxs": [
        {"title": "Elleray", "text": "A town."},
        {"title": "Maren Light", "text": "Ruben built it."},
    ],
}


def lines(*rows: dict[str, Any]) -> str:
    return "".join(json.dumps(row) + "\n" for row in rows)


def written(folder: Path, text: str, name: str = "set.json") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def corpus(path: Path) -> list[dict[str, str]]:
    """The passages that a file of questions carries."""
    folder = Path(mkdtemp(dir=path.parent)) / "made"
    write_corpus(path, folder)
    return [json.loads(line) for line in (folder / "corpus.jsonl").read_text("utf-8").splitlines()]


def test_hotpotqa(tmp_path: Path) -> None:
    path = written(tmp_path, json.dumps([HOTPOT], indent=1))
    supporting = (
        Support("Maren Light", "Ruben built it. It is tall."),
        Support("Ansby Mill", "A mill. Ruben built it."),
    )
    expected = Question("5a8b", str(HOTPOT["question"]), ("yes",), supporting, 2, "comparison")
    assert load_questions(path) == [expected]
    assert [p["title"] for p in corpus(path)] == ["Maren Light", "Elleray", "Ansby Mill"]


def test_2wikimultihopqa_and_a_supporting_page_that_is_not_in_the_context(tmp_path: Path) -> None:
    path = written(tmp_path, json.dumps([WIKI2]))
    supporting = (Support("Maren Light", "Ruben built it. It is tall."), Support("Ruben", ""))
    assert load_questions(path) == [
        Question("2w1", str(WIKI2["question"]), ("Elleray",), supporting, 2, "compositional")
    ]
    assert corpus(path)[0] == {"title": "Maren Light", "text": "Ruben built it. It is tall."}


def test_musique_leaves_out_what_was_made_unanswerable(tmp_path: Path) -> None:
    path = written(tmp_path, lines(UNANSWERABLE, MUSIQUE), "musique_full.jsonl")
    supporting = (Support("Maren Light", "Ruben built it."), Support("Ruben", "Ruben was born in Elleray."))
    expected = Question("2hop__12_34", str(MUSIQUE["question"]), ("Elleray", "Elleray Town"), supporting, 2, "2hop")
    assert load_questions(path) == [expected]
    assert len(corpus(path)) == 3
    bare = {**MUSIQUE, "id": "3hop1__1_2_3", "question_decomposition": []}
    (question,) = load_questions(written(tmp_path, lines(bare)))
    assert (question.hops, question.kind) == (3, "3hop1")


def test_popqa(tmp_path: Path) -> None:
    path = written(tmp_path, POPQA, "popQA.tsv")
    expected = Question("42", "What is Maren's occupation?", ("pilot", "harbour pilot"), (), 1, "occupation")
    assert load_questions(path) == [expected]


def test_nq_open(tmp_path: Path) -> None:
    rows = lines({"question": "who built it", "answer": ["Ruben", "Ruben "]}, {"question": "when", "answer": ["1809"]})
    path = written(tmp_path, rows, "nq.jsonl")
    assert load_questions(path) == [Question("nq-1", "who built it", ("Ruben",)), Question("nq-2", "when", ("1809",))]


def test_natural_questions_as_published(tmp_path: Path) -> None:
    page = "<P> A town . </P> <P> The light was built by Ruben <B> Calloway </B> in 1809 . </P>".split()
    first, second = ({"start_token": 0, "end_token": 5}, {"start_token": 5, "end_token": 18})
    annotation = {
        "yes_no_answer": "NONE",
        "long_answer": {**second, "candidate_index": 1},
        "short_answers": [{"start_token": 11, "end_token": 14}],
    }
    row = {
        "example_id": -59,
        "question_text": "who built the maren light",
        "annotations": [{"yes_no_answer": "NONE", "long_answer": first, "short_answers": []}, annotation],
        "long_answer_candidates": [{**first, "top_level": True}, {**second, "top_level": True}],
    }
    simple = {
        **row,
        "document_text": " ".join(page),
        "document_url": "https://e.org/w/index.php?title=Maren_Light&id=1",
    }
    tokens = [{"token": token, "html_token": token.startswith("<")} for token in page]
    whole = {**row, "document_tokens": tokens, "document_title": "Maren Light"}
    unanswered = {**simple, "example_id": 1, "annotations": row["annotations"][:1]}  # type: ignore[index]
    closed = {**simple, "example_id": 2, "annotations": [{**annotation, "yes_no_answer": "YES", "short_answers": []}]}
    path = written(tmp_path, lines(simple, unanswered, closed), "nq-dev.jsonl")
    passage = Support("Maren Light", "The light was built by Ruben Calloway in 1809 .")
    expected = Question("-59", "who built the maren light", ("Ruben Calloway",), (passage,))
    assert load_questions(path)[0] == expected
    assert [(q.id, q.answers) for q in load_questions(path)[1:]] == [("2", ("yes",))]
    assert [p["text"] for p in corpus(path)] == ["A town .", passage.text]
    assert load_questions(written(tmp_path, lines(whole))) == [expected]
    with pytest.raises(InputError, match="line 1: no 'document_tokens'"):
        load_questions(written(tmp_path, lines(row)))


def test_a_large_page_is_let_go_before_the_next_is_read(tmp_path: Path) -> None:
    """A page of NQ takes megabytes as tokens: of fifty, one at a time is held."""
    tokens = [{"token": f"w{i % 97}", "start_byte": i, "end_byte": i, "html_token": False} for i in range(2000)]
    span = {"start_token": 0, "end_token": 3}
    row = {
        "question_text": "who",
        "document_tokens": tokens,
        "annotations": [{"yes_no_answer": "NONE", "long_answer": span, "short_answers": [span]}],
        "long_answer_candidates": [span],
    }
    path = written(tmp_path, lines(*({**row, "example_id": i} for i in range(50))))
    for read in (load_questions, corpus):
        tracemalloc.start()
        assert len(read(path)) >= 1
        most = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert most < 10e6


@pytest.mark.parametrize("indent", [None, 2])
def test_triviaqa(tmp_path: Path, indent: int | None) -> None:
    path = written(tmp_path, json.dumps(TRIVIA, indent=indent))
    (question,) = load_questions(path)
    assert (question.id, question.supporting) == ("tc_1", ())
    assert question.answers == ("Sea-green", "Turquoise", "sea green", "turquoise")


def test_dprs_form_of_nq_and_triviaqa(tmp_path: Path) -> None:
    path = written(tmp_path, json.dumps([DPR]), "biencoder-nq-dev.json")
    assert load_questions(path) == [Question("biencoder-nq-dev-1", "who built the maren light", ("Ruben",))]
    assert [p["title"] for p in corpus(path)] == ["Maren Light", "Elleray"]
    table = written(tmp_path, "who built it\t['Ruben', \"R. O'Hara\"]\nwhen\t['1809']\n", "nq-test.qa.csv")
    assert [q.answers for q in load_questions(table)] == [("Ruben", "R. O'Hara"), ("1809",)]


def test_a_folder_of_clews_own(tmp_path: Path) -> None:
    row = {
        "id": 7,
        "question": "Who?",
        "answers": ["Ruben"],
        "supporting": [{"title": "T", "text": "Ruben."}],
        "hops": 1,
    }
    text = "\ufeff" + lines(row) + "\n" + lines({"id": "b", "question": "When\u2028then?", "answers": ["1809"]})
    written(tmp_path, text, "questions.jsonl")
    assert load_questions(tmp_path) == [
        Question("7", "Who?", ("Ruben",), (Support("T", "Ruben."),), 1),
        Question("b", "When\u2028then?", ("1809",)),
    ]


@pytest.mark.parametrize(("name", "row"), [("hotpot.json", HOTPOT), ("wiki.json", WIKI2), ("dpr.json", DPR)])
def test_what_is_written_is_read_the_same(tmp_path: Path, name: str, row: dict[str, Any]) -> None:
    original = written(tmp_path, json.dumps([row]), name)
    folder = tmp_path / "new" / "set"
    assert write_corpus(original, folder) == (len(corpus(original)), 1)
    assert load_questions(folder) == load_questions(original)
    assert sorted(p.name for p in folder.iterdir()) == ["corpus.jsonl", "questions.jsonl"]
    with pytest.raises(InputError, match=r"corpus\.jsonl exists already"):
        write_corpus(original, folder)


def test_questions_without_passages_make_no_corpus(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="carries no passages"):
        write_corpus(written(tmp_path, POPQA, "popQA.tsv"), tmp_path / "out")
    assert not (tmp_path / "out").exists()
    blocked = written(tmp_path, "", "blocked")
    with pytest.raises(InputError, match="cannot be written"):
        write_corpus(written(tmp_path, json.dumps([HOTPOT])), blocked / "out")


OWN = [
    Question("m1", "How tall is the Maren Light?", ("31 metres",)),
    Question("m2", "Who keeps it, by night?", ()),
    Question("m3", "Which mills stand in Ansby?", ("Low Mill", "Tide Mill"), every=True),
]


def test_json_that_was_a_table_keeps_the_heads_of_its_columns(tmp_path: Path) -> None:
    rows = [
        {"ID": "m1", "Question": "How tall is the Maren Light?", "Answer": "31 metres"},
        {"Id": "m2", "question ": "Who keeps it, by night?", "ANSWERS": []},
        {"ID": "m3", "Question": "Which mills stand in Ansby?", "Answers": ["Low Mill", "Tide Mill"], "Every": True},
    ]
    assert load_questions(written(tmp_path, json.dumps(rows), "own.json")) == OWN
    lines = "\n".join(map(json.dumps, rows))
    assert load_questions(written(tmp_path, lines, "own.jsonl")) == OWN


@pytest.mark.parametrize("by", [",", ";", "\t"])
@pytest.mark.parametrize("head", ["id,question,answer,every", "ID,Question,Answers,Every"])
def test_a_table_of_questions_of_ones_own(tmp_path: Path, by: str, head: str) -> None:
    table = io.StringIO()
    writer = csv.writer(table, delimiter=by)
    writer.writerow(head.split(","))
    writer.writerow(["m1", "How tall is the Maren Light?", "31 metres", ""])
    writer.writerow(["m2", "Who keeps it, by night?", "", ""])
    writer.writerow(["m3", "Which mills stand in Ansby?", "Low Mill; Tide Mill", "TRUE"])
    writer.writerow(["", "", "", ""])
    assert load_questions(written(tmp_path, table.getvalue(), "own.csv")) == OWN


@pytest.mark.parametrize("name", ["questions", "examples", "items"])
def test_an_object_may_hold_the_questions(tmp_path: Path, name: str) -> None:
    rows: list[dict[str, Any]] = [
        {"id": "m1", "question": "How tall is the Maren Light?", "answer": "31 metres"},
        {"id": "m2", "question": "Who keeps it, by night?", "answer": None},
        {"id": "m3", "question": "Which mills stand in Ansby?", "answer": ["Low Mill", "Tide Mill"], "every": True},
    ]
    for indent in (None, 2):
        held = json.dumps({"version": 2, name: rows}, indent=indent)
        assert load_questions(written(tmp_path, held)) == OWN
    assert load_questions(written(tmp_path, lines(*rows))) == OWN
    assert load_questions(written(tmp_path, lines(*reversed(rows)))) == OWN[::-1]


def test_squad_in_both_of_its_forms(tmp_path: Path) -> None:
    context = "Ruben built the light in 1809."
    asked = [
        {"id": "s1", "question": "Who built it?", "answers": [{"text": "Ruben", "answer_start": 0}] * 2},
        {"id": "s2", "question": "Who painted it?", "answers": [], "is_impossible": True},
    ]
    whole = {"version": "v2.0", "data": [{"title": "Maren Light", "paragraphs": [{"context": context, "qas": asked}]}]}
    rows: list[dict[str, Any]] = [
        {"id": "s1", "title": "Maren Light", "context": context, "question": "Who built it?"},
        {"id": "s2", "title": "Maren Light", "context": context, "question": "Who painted it?"},
    ]
    rows[0]["answers"] = {"text": ["Ruben", "Ruben"], "answer_start": [0, 0]}
    rows[1]["answers"] = {"text": [], "answer_start": []}
    passage = (Support("Maren Light", context),)
    expected = [Question("s1", "Who built it?", ("Ruben",), passage), Question("s2", "Who painted it?", (), passage)]
    for text in (json.dumps(whole), lines(*rows)):
        path = written(tmp_path, text)
        assert load_questions(path) == expected
        assert corpus(path) == [{"title": "Maren Light", "text": context}]


GOOD = {"id": "a", "question": "Who?", "answers": ["x"]}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "holds no questions"),
        ("[]", "holds no questions"),
        ("\n\n", "holds no questions"),
        (lines(GOOD, {"id": "b", "answers": ["x"]}), r"line 2: no 'question'"),
        (lines(GOOD) + "\n" + lines({"id": "b", "question": "Who?"}), r"line 3: no 'answers' \(a list"),
        (lines(GOOD, {"question": "Who?", "answers": [" "]}), r"line 2: 'answers' holds no answer"),
        (lines(GOOD, {"question": "Who?"}), r"line 2: no 'answers' \(a list of texts\)"),
        (lines(GOOD, {"question": "Who?", "answers": [True]}), r"line 2: 'answers' holds True, but takes texts"),
        (lines(GOOD, {"question": "Who?", "answers": {"x": 1}}), r"line 2: 'answers' holds {'x': 1}, but takes"),
        ('{"question": \n' + lines(GOOD), r"line 1: not valid JSON"),
        ('{"question": \n', r"line 1: not valid JSON"),
        ('{\n "question": "Who?",\n "answers": \n}\n', r"line 4: not valid JSON"),
        (lines(GOOD, {**GOOD, "id": "long", "question": "w" * 8001}), r"line 2: the question 'long' has 8,001 char"),
        (lines({**GOOD, "supporting": [{"title": "T"}]}), r"line 1: 'supporting' holds .* no 'text'"),
        (lines({**GOOD, "supporting": [{"title": " ", "text": ""}]}), r"line 1: .* without title and text"),
        (lines({**GOOD, "supporting": "T"}), r"line 1: no 'supporting' \(a list"),
        (lines({**GOOD, "supporting": [{"title": ["T"], "text": "x"}]}), r"line 1: 'supporting' holds a 'title'"),
        (lines({**GOOD, "supporting": [{"title": True, "text": "x"}]}), r"line 1: 'supporting' holds a 'title'"),
        (lines({**GOOD, "hops": True}), r"line 1: 'hops' is no whole number from 1"),
        (lines({**GOOD, "hops": -3}), r"line 1: 'hops' is no whole number from 1"),
        (lines({**GOOD, "hops": "2"}), r"line 1: 'hops' is no whole number from 1"),
        (lines({**GOOD, "id": 1.5}), r"line 1: 'id' is neither a text nor a whole number"),
        (lines({**GOOD, "id": False}), r"line 1: 'id' is neither a text nor a whole number"),
        (lines(GOOD, GOOD), r"line 2: the id 'a' is that of line 1 too"),
        (lines(GOOD) + "{'id': 1}\n", r"line 2: not valid JSON"),
        (lines(GOOD) + "[1]\n", r"line 2: not a JSON object"),
        (lines(GOOD) + "[" * 100_000 + "\n", r"line 2: JSON that is nested too deeply"),
        ("[" * 100_000, "nested too deeply"),
        ('[{"question": ', r"line 1: not valid JSON"),
        ("[1]", r"entry 1: not a JSON object"),
        (json.dumps([{"title": "T", "body": "x"}]), r"entry 1: no question \(its fields: body, title\)"),
        (json.dumps([{**HOTPOT, "context": [["T"]]}]), r"entry 1: 'context' holds"),
        (json.dumps([{**HOTPOT, "supporting_facts": ["T"]}]), r"entry 1: 'supporting_facts' holds"),
        (json.dumps([{**HOTPOT, "answer": ""}]), r"entry 1: no 'answer'"),
        (lines(UNANSWERABLE), "holds no question that has an answer"),
        (lines({**MUSIQUE, "answer_aliases": "E"}), r"line 1: 'answer_aliases' is no list"),
        (POPQA.replace("[", "{"), r"line 2: 'possible_answers' is no JSON list"),
        (POPQA.replace("\tpilot", ""), r"line 2: 5 columns instead of 6"),
        (json.dumps({"Data": [{"Question": "Q", "QuestionId": "t"}]}), r"entry 1: no 'Answer'"),
        ("who\t__import__('os').getcwd()\n", r"line 1: its second column is no list"),
        ("A page of prose, and nothing else.\n", r"line 1: neither JSON nor a table of questions"),
        ("question,answer\nwho,A,B\n", r"line 2: 3 columns instead of 2, parted by commas"),
        ("question,answer\rwho,A\n", r"line 1: not a readable row"),
        ("question;answer;every\nwho;A;perhaps\n", r"line 2: 'every' is neither true nor false"),
        (json.dumps({"data": [{"paragraphs": [{"context": "x", "qas": "?"}]}]}), r"entry 1: no 'qas' \(a list"),
        (json.dumps({"data": [{"paragraphs": [{"context": "x", "qas": [1]}]}]}), r"entry 1: 'qas' holds"),
        (lines({"question": "Who?", "answer": True}), r"line 1: 'answer' holds True, but takes texts"),
        ("who\t['A']\nwhen\n", r"line 2: 1 columns instead of 2"),
    ],
)
def test_bad_files_are_refused_with_their_place(tmp_path: Path, text: str, message: str) -> None:
    path = written(tmp_path, text)
    with pytest.raises(InputError, match=message) as caught:
        load_questions(path)
    assert str(path) in str(caught.value)
    assert "\n" not in str(caught.value)


def test_missing_and_unreadable_files_are_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"holds no questions\.jsonl"):
        load_questions(tmp_path)
    with pytest.raises(InputError, match="There is no file or folder"):
        load_questions(tmp_path / "nowhere")
    with pytest.raises(InputError, match=r"cannot be read \(File name too long\)"):
        load_questions(tmp_path / ("a" * 300))
    packed = tmp_path / "set.json.gz"
    packed.write_bytes(b"\x1f\x8b\x08\x00\xff\xfe")
    with pytest.raises(InputError, match="unpack it"):
        load_questions(packed)


def test_the_examples_load() -> None:
    questions = load_questions(ROOT / "examples")
    assert all(q.answers and q.supporting and q.hops == len(q.supporting) for q in questions)


@pytest.mark.skipif(not SHARED.is_dir(), reason="the shared data sets are not on this machine")
def test_the_shared_sets_load() -> None:
    musique, wiki = load_questions(SHARED / "musique"), load_questions(SHARED / "2wiki")
    assert (len(musique), len(wiki)) == (100, 500)
    assert {q.hops for q in musique} == {2, 3, 4}
    passages = map(json.loads, (SHARED / "musique" / "corpus.jsonl").read_text("utf-8").splitlines())
    there = {(passage["title"], passage["text"]) for passage in passages}
    assert all((s.title, s.text) in there for q in musique for s in q.supporting)
