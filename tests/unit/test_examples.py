"""The example encyclopaedia: its formats, its links, and the evidence of its questions."""

from __future__ import annotations

import importlib.util
import json
import re
from collections import Counter
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any
from urllib.parse import urlsplit

import docx
import pypdf
import pytest
from bs4 import BeautifulSoup

EXAMPLES = Path(__file__).parents[2] / "examples"
FILES = sorted((EXAMPLES / "encyclopaedia").iterdir())
QUESTIONS: list[dict[str, Any]] = [
    json.loads(line) for line in (EXAMPLES / "questions.jsonl").read_text(encoding="utf-8").splitlines()
]

by_id = pytest.mark.parametrize("question", QUESTIONS, ids=lambda question: question["id"])
by_file = pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)


def squeeze(text: str) -> str:
    return " ".join(text.split())


def read_markdown(path: Path) -> tuple[str, str]:
    heading, _, body = path.read_text(encoding="utf-8").partition("\n")
    assert heading.startswith("# ")
    return heading.removeprefix("# "), re.sub(r"\[([^]]*)\]\([^)]*\)|[*#]+", r"\1", body)


def read_text(path: Path) -> tuple[str, str]:
    title, blank, body = path.read_text(encoding="utf-8").split("\n", 2)
    assert not blank
    return title, body


def read_html(path: Path) -> tuple[str, str]:
    soup = BeautifulSoup(path.read_text(encoding="utf-8"), "lxml")
    assert all(soup.find(name) for name in ("title", "nav", "aside", "footer"))
    headings = soup.find_all("h1")
    assert len(headings) == 1
    for noise in soup(["head", "script", "header", "nav", "aside", "footer"]):
        noise.decompose()
    return headings[0].get_text(), soup.get_text()


def read_pdf(path: Path) -> tuple[str, str]:
    reader = pypdf.PdfReader(path)
    text = "\n".join(page.extract_text() for page in reader.pages)
    title = str(reader.metadata.title if reader.metadata else "")
    assert text.startswith(title)
    return title, text


def read_docx(path: Path) -> tuple[str, str]:
    document = docx.Document(str(path))
    first = document.paragraphs[0]
    assert first.style is not None
    assert first.style.name == "Title"
    assert first.text == document.core_properties.title
    cells = [cell.text for table in document.tables for row in table.rows for cell in row.cells]
    return first.text, "\n".join([paragraph.text for paragraph in document.paragraphs] + cells)


READERS = {".md": read_markdown, ".txt": read_text, ".html": read_html, ".pdf": read_pdf, ".docx": read_docx}


@cache
def articles() -> dict[str, str]:
    return {title: squeeze(text) for title, text in (READERS[path.suffix](path) for path in FILES)}


def build_script() -> ModuleType:
    spec = importlib.util.spec_from_file_location("build_examples", EXAMPLES / "build.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_there_are_42_articles_in_five_formats() -> None:
    assert Counter(path.suffix for path in FILES) == {".md": 15, ".txt": 10, ".html": 7, ".pdf": 5, ".docx": 5}
    assert len(articles()) == 42


@by_file
def test_an_article_is_short_and_speaks_of_its_title(path: Path) -> None:
    title, text = READERS[path.suffix](path)
    assert title == title.strip() != ""
    assert 100 <= len(text.split()) <= 350
    name = title.split(" (")[0].removeprefix("A ").split()[0]
    assert name.casefold() in squeeze(text)[:200].casefold()


def test_two_pdf_articles_or_more_have_several_pages() -> None:
    pages = [len(pypdf.PdfReader(path).pages) for path in FILES if path.suffix == ".pdf"]
    assert sum(count > 1 for count in pages) >= 2


@pytest.mark.parametrize("path", [p for p in FILES if p.suffix in (".md", ".html")], ids=lambda path: path.name)
def test_links_lead_to_articles(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    links = re.findall(r"\]\(([^)]*)\)" if path.suffix == ".md" else r'<a href="([^"#][^"]*)"', text)
    assert links
    assert [link for link in links if urlsplit(link).scheme or not (path.parent / link).is_file()] == []


def test_ids_are_unique_and_hops_as_announced() -> None:
    assert [question["id"] for question in QUESTIONS] == [f"q{number:02}" for number in range(1, 31)]
    assert len({question["question"] for question in QUESTIONS}) == 30
    assert Counter(question["hops"] for question in QUESTIONS) == {1: 8, 2: 10, 3: 8, 4: 4}


@by_id
def test_supporting_passages_stand_in_their_articles(question: dict[str, Any]) -> None:
    assert len(question["supporting"]) == question["hops"]
    for passage in question["supporting"]:
        assert passage["text"] in articles()[passage["title"]]


@by_id
def test_the_answer_stands_in_the_supporting_passages(question: dict[str, Any]) -> None:
    evidence = " ".join(passage["text"] for passage in question["supporting"]).casefold()
    assert question["answers"]
    for answer in question["answers"]:
        assert answer in ("yes", "no") or re.search(rf"\b{re.escape(answer.casefold())}\b", evidence)


@by_id
def test_the_answer_to_a_chain_is_not_in_the_question(question: dict[str, Any]) -> None:
    compares = " or " in question["question"]
    assert compares or not any(answer in question["question"] for answer in question["answers"])


def test_a_build_repeats_itself_and_matches_what_is_committed(tmp_path: Path) -> None:
    build = build_script().build
    first, second = build(tmp_path / "first"), build(tmp_path / "second")
    assert len(first) == 10
    assert [path.read_bytes() for path in first] == [path.read_bytes() for path in second]
    for path in first:
        committed = EXAMPLES / "encyclopaedia" / path.name
        assert READERS[path.suffix](path) == READERS[path.suffix](committed)
