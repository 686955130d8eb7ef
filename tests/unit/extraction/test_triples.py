"""Triples: which stretch of a text shows one, and what is dropped."""

from __future__ import annotations

from types import SimpleNamespace as Made

import pytest

from clew.extraction.graph_documents import graph_document_items
from clew.extraction.sentences import SentenceExtractor
from clew.extraction.triples import Triple, TripleDocument, TripleExtractor, find_evidence, make_triple, with_triples
from clew.ingest.split import chunks
from clew.types import Document, Skipped

TEXT = (
    "The Tarn Mill was built by Orla Finch. It burnt down in 1901. Later Mayor Bram Oake gave the ruin to Skarn. "
    "The town keeps it as a museum."
)


@pytest.mark.parametrize(
    ("triple", "evidence", "stated"),
    [
        (Triple("Orla Finch", "built", "Tarn Mill"), "The Tarn Mill was built by Orla Finch.", True),
        (Triple("Orla Finch", "is the builder of", "Tarn Mill"), "The Tarn Mill was built by Orla Finch.", True),
        (Triple("Orla Finch", "bought", "Tarn Mill"), "The Tarn Mill was built by Orla Finch.", False),
        (Triple("Tarn Mill", "burnt down in", "1901"), "It burnt down in 1901.", True),
        (Triple("Orla Finch", "lived when it burnt in", "1901"), TEXT[:62].strip(), True),
        (Triple("Tarn Mill", "was", "the museum"), "The town keeps it as a museum.", False),
        (Triple("Tarn Mill", "keeping", "museum"), "The town keeps it as a museum.", True),
        (Triple("Bram Oake", "painted", "the Mona Lisa"), None, False),
        (Triple("Tarn Mill", "is in", "Tarn"), "The Tarn Mill was built by Orla Finch.", False),
        (Triple("Bram Oake", "gives", "Skarn"), "Later Mayor Bram Oake gave the ruin to Skarn.", False),
    ],
)
def test_the_evidence_is_the_smallest_stretch_with_subject_and_object(
    triple: Triple, evidence: str | None, stated: bool
) -> None:
    found = find_evidence(triple, "Tarn Mill", TEXT)
    assert (found and TEXT[found.start : found.end]) == evidence
    assert (found is not None and found.states_relation) == stated


def document(*triples: Triple | None, text: str = TEXT) -> TripleDocument:
    return with_triples(Document("d", "k", "Tarn Mill", "s", text, "0"), triples)


def test_facts_have_their_evidence_and_the_rest_is_counted() -> None:
    seen = Triple("Orla Finch", "built", "Tarn Mill")
    number = Triple("Tarn Mill", "has", "7")
    one = document(seen, Triple("Orla Finch", "died in", "Rome"), number, Triple("it", "is", "9"))
    one = with_triples(Document("d", "k", "Tarn Mill", "s", TEXT + " It has 7 floors.", "0"), one.triples)
    extractor = TripleExtractor()
    facts = [fact for chunk in chunks(one, 80) for fact in extractor.extract(one, chunk)]
    assert [fact.text for fact in facts] == ["Orla Finch built Tarn Mill", "Tarn Mill has 7"]
    assert [[(p.name, p.role) for p in fact.participants] for fact in facts] == [
        [("Orla Finch", "subject"), ("Tarn Mill", "object")],
        [("Tarn Mill", "subject")],
    ]
    assert all("Finch" in one.text[fact.start : fact.end] or "7" in one.text[fact.start : fact.end] for fact in facts)
    assert {fact.origin for fact in facts} == {"openie"}
    report = extractor.report()
    assert (report.facts, report.dropped) == (2, {"evidence": 1, "name": 1})


def test_sentences_come_beside_where_they_are_wanted() -> None:
    one = document(Triple("Orla Finch", "built", "Tarn Mill"))
    both, plain = TripleExtractor(SentenceExtractor()), SentenceExtractor()
    (chunk,) = chunks(one, 1600)
    assert both.extract(one, chunk)[:-1] == plain.extract(one, chunk)
    assert plain.name in both.name


def test_what_is_no_triple_is_left_out() -> None:
    made = [
        make_triple("A b", "<query>is", "c\x00d \u202ee"),
        make_triple("A", "", "b"),
        make_triple(None, "is", "b"),
        make_triple({"a": 1}, "is", "b"),
        make_triple("A b", "<query>is", "c\x00d \u202ee"),
        make_triple("Year", "is", 1901),
    ]
    one = document(*made)
    assert one.triples == (Triple("A b", "‹query>is", "c d e"), Triple("Year", "is", "1901"))
    many = document(*(make_triple(str(n), "r", "o") for n in range(5000)))
    assert len(many.triples) == 1000
    extractor = TripleExtractor()
    for each in (one, many):
        for chunk in chunks(each, 80):
            extractor.extract(each, chunk)
    dropped = extractor.report().dropped
    assert (dropped["form"], dropped["room"]) == (3, 4000)


def relationship(source: str, type: str, target: str) -> Made:
    return Made(source=Made(id=source), target=Made(id=target), type=type)


def test_graph_documents_of_one_document_come_together() -> None:
    source = Made(page_content=TEXT, metadata={"title": "Tarn Mill", "source": "mill.pdf"}, id=None)
    given = [
        Made(nodes=[], relationships=[relationship("Orla Finch", "BUILT", "Tarn Mill")], source=source),
        Made(nodes=[], relationships=[relationship("Tarn Mill", "BURNT_DOWN_IN", "1901")], source=source),
        Made(nodes=[], relationships=[], source=None),
    ]
    skipped, one = graph_document_items(given, "k")
    assert isinstance(skipped, Skipped)
    assert isinstance(one, TripleDocument)
    assert (one.title, one.source, one.locator) == ("Tarn Mill", "langchain:mill.pdf", "")
    assert one.triples == (Triple("Orla Finch", "built", "Tarn Mill"), Triple("Tarn Mill", "burnt down in", "1901"))
