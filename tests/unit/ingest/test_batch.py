"""A batch of documents as rows."""

from __future__ import annotations

from clew.extraction.sentences import SentenceExtractor
from clew.ids import document_id, entity_id
from clew.ingest.batch import Batch, Extracted
from clew.ingest.split import chunks
from clew.types import Document


def extracted(text: str, title: str = "Ansby", source: str = "s", chunk_chars: int = 1600) -> Extracted:
    document = Document(document_id("k", source), "k", title, source, text, "0")
    extractor = SentenceExtractor()
    pieces = [(chunk, extractor.extract(document, chunk)) for chunk in chunks(document, chunk_chars)]
    return Extracted(document, "recipe", pieces)


def batch_of(*documents: Extracted) -> Batch:
    batch = Batch("k")
    for one in documents:
        batch.add_document(one, replaces=False)
        for chunk, facts in one.chunks:
            batch.add_chunk(one.document, chunk, facts)
    return batch


def test_the_rows_of_a_document() -> None:
    batch = batch_of(extracted("It was founded by Ada on 3 May 1871. It was founded by Ada on 3 May 1871."))
    (chunk,) = batch.chunks.values()
    (hyperedge,) = batch.hyperedges.values()
    assert [(row["start"], row["end"]) for row in batch.states] == [(0, 36), (37, 73)]
    assert hyperedge["text"] == "Ansby: It was founded by Ada on 3 May 1871."
    assert hyperedge["key"] == "ansby it was founded by ada on 3 may 1871"
    assert {row["key"]: row["type"] for row in batch.entities.values()} == {
        "ansby": "name",
        "ada": "name",
        "3 may 1871": "date",
    }
    assert {row["role"] for row in batch.connects.values()} == {"subject", "mention"}
    assert batch.texts[chunk["id"]].startswith("Ansby\nIt was")
    assert batch.texts[entity_id("k", "ada")] == "ada"
    assert set(batch.texts) == set(batch.labels) == {*batch.chunks, *batch.hyperedges, *batch.entities}


def test_documents_share_what_they_share() -> None:
    text = "It was founded by Ada."
    batch = batch_of(extracted(text, source="a"), extracted(text, source="b"))
    assert (len(batch.documents), len(batch.chunks), len(batch.states)) == (2, 2, 2)
    assert (len(batch.hyperedges), len(batch.entities), len(batch.connects)) == (1, 2, 2)


def test_the_same_words_under_another_title_are_another_fact() -> None:
    """The text alone would be the same, but what takes part is not."""
    one = extracted("It was founded by Ada.", title="Ansby: History", source="a")
    other = extracted("History: It was founded by Ada.", title="Ansby", source="b")
    assert one.chunks[0][1][0].text == other.chunks[0][1][0].text
    assert len(batch_of(one, other).hyperedges) == 2


def test_a_page_without_facts_has_no_title_to_link_to() -> None:
    assert extracted("It stands.").title_key == "ansby"
    assert extracted("Ansby").title_key is None
    assert extracted("It stands.", title="12").title_key is None


def test_a_replaced_document_is_named() -> None:
    batch = Batch("k")
    batch.add_document(extracted("It stands."), replaces=True)
    assert batch.replaced == list(batch.documents)
