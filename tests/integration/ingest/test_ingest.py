"""Ingest on a real Neo4j: the same documents give the same graph, whatever happens on the way."""

from __future__ import annotations

import io
import json
import random
import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from email.message import EmailMessage
from pathlib import Path

import pytest

from benchmarks.snapshot import Snapshot, difference, vectors
from clew.errors import NotFoundError, StoreFailedError
from clew.extraction.sentences import SentenceExtractor
from clew.ids import document_id, entity_id
from clew.ingest import pipeline
from clew.knowledge_base import KnowledgeBase
from clew.operations.check import check
from clew.types import Chunk, Document, ExtractedFact, Participant
from tests.integration.graphs import CITIES, add, cities, counts, document, dump, graph, links, same


def test_a_second_ingest_changes_nothing(kb: KnowledgeBase) -> None:
    first = add(kb, *cities(kb))
    before, stats = graph(kb), counts(kb)
    assert (first.documents, first.chunks, first.unchanged, first.replaced) == (len(CITIES), len(CITIES), 0, 0)
    assert (first.hyperedges, first.entities) == (stats["Hyperedge"], stats["Entity"])
    assert set(first.stages) == {"load", "extract", "embed", "write"}
    second = add(kb, *cities(kb))
    assert (second.documents, second.chunks, second.hyperedges, second.entities) == (0, 0, 0, 0)
    assert (second.unchanged, second.removed, second.skipped) == (len(CITIES), 0, ())
    assert counts(kb) == stats
    same(before, graph(kb))


def test_what_comes_slowly_is_written_before_the_last_has_come(
    kb: KnowledgeBase, monkeypatch: pytest.MonkeyPatch
) -> None:
    for seconds in ("WRITE_SECONDS", "GATHER_SECONDS"):
        monkeypatch.setattr(pipeline, seconds, 0.01)
    written = threading.Event()

    def slowly() -> Iterator[Document]:
        for number in range(20):
            yield document(kb, f"Town {number}", f"Town {number} lies on a river.")
            assert number < 16 or written.wait(60)
            time.sleep(0.05)

    kb.ingest_documents(slowly(), on_progress=lambda told: written.set() if told.done else None)
    assert counts(kb)["Document"] == 20


def test_what_the_graph_says(kb: KnowledgeBase) -> None:
    add(kb, *cities(kb))
    nodes, relationships = dump(kb)
    assert all(node["kb"] == kb.name and node["name"] for node in nodes.values())
    assert all(node["embedding"] == 384 for node in nodes.values() if "title" not in node)
    assert not any("stale" in node or "writer" in node for node in nodes.values())
    assert {node["status"] for node in nodes.values() if "status" in node} == {"ready"}
    york = nodes[entity_id(kb.name, "new york")]
    ends = [row for row in relationships if row["type"] == "CONNECTS" and row["end"] == entity_id(kb.name, "new york")]
    assert (york["name"], york["page"], york["type"], york["degree"]) == ("New York", True, "name", len(ends))
    assert nodes[entity_id(kb.name, "1891")]["type"] == "date"
    assert nodes[entity_id(kb.name, "1891")]["page"] is False
    for row in relationships:
        if row["type"] == "STATES":
            fact, chunk = nodes[row["end"]], nodes[row["start"]]
            (text,) = (d["text"] for d in nodes.values() if "title" in d and chunk["text"] in d["text"])
            start, end = row["properties"]["start"], row["properties"]["end"]
            assert " ".join(text[start:end].split()) == fact["text"][fact["lead"] :]
        if row["type"] == "CONNECTS":
            assert row["properties"]["role"] in {"subject", "topic", "mention", "link"}
            assert row["properties"]["surface"]


def test_links_go_to_the_longest_title(kb: KnowledgeBase) -> None:
    add(kb, *cities(kb))
    found = links(kb)
    assert ("The old Maren light shone over New York City and over Łódź.", "Old Maren Light") not in found  # its own
    assert ("The new York city hall was built in 1891.", "New York City") in found
    assert ("Nobody mentions York here.", "York") not in found  # a name already
    assert len(found) == len(set(found)) > 0


@pytest.fixture(scope="module")
def orders() -> list[list[str]]:
    shuffled = [list(CITIES), list(CITIES)[::-1]]
    for seed in range(3):
        shuffled.append(random.Random(seed).sample(list(CITIES), len(CITIES)))
    return shuffled


def test_the_order_of_ingest_does_not_matter(kb: KnowledgeBase, orders: list[list[str]]) -> None:
    expected: Snapshot = set()
    embedder = kb.embedder
    for turn, order in enumerate(orders):
        for together in (True, False):
            for some in [order] if together else [[title] for title in order]:
                add(kb, *cities(kb, some))
            found = graph(kb)
            if not expected:
                expected = found
            assert difference(expected, found) == [], (turn, together, order)
            kb.delete()
            kb.__dict__["embedder"] = embedder
    assert len(expected) > 100


def test_titles_that_come_late_are_searched_for_or_looked_for(
    kb: KnowledgeBase, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Both ways to find the sentences that mention a new title find the same."""
    found = []
    embedder = kb.embedder
    for searches_per_fact in (0.0, 1e9):
        monkeypatch.setattr("clew.ingest.link.SEARCHES_PER_FACT", searches_per_fact)
        for some in (["Old Maren Light", "Lodz", "12", "York"], ["Light", "New York City"], ["New York", "York City"]):
            add(kb, *cities(kb, some))
        found.append(graph(kb))
        kb.delete()
        kb.__dict__["embedder"] = embedder
    same(*found)


def test_equal_facts_of_different_titles_stay_apart(kb: KnowledgeBase) -> None:
    one = document(kb, "Ansby: History", "It was founded by Ada.")
    other = document(kb, "Ansby", "History: It was founded by Ada.")
    add(kb, one, other)
    both = graph(kb)
    kb.delete_documents(one.id)
    add(kb, one)
    same(both, graph(kb))
    kb.delete_documents(other.id)
    add(kb, other)
    same(both, graph(kb))


def test_a_document_deleted_and_added_again(kb: KnowledgeBase) -> None:
    add(kb, *cities(kb))
    before = graph(kb)
    for one in cities(kb):
        assert kb.delete_documents(one.id) == 1
        assert difference(graph(kb), before) != []
        add(kb, one)
        same(before, graph(kb))


def test_deleting_equals_never_having_been(kb: KnowledgeBase) -> None:
    some = ["York", "Light", "Lodz"]
    rest = [title for title in CITIES if title not in some]
    add(kb, *cities(kb, rest))
    without = graph(kb)
    add(kb, *cities(kb, some))
    kb.delete_documents(*(one.id for one in cities(kb, some)))
    same(without, graph(kb))


def test_deleting_everything_leaves_nothing(kb: KnowledgeBase) -> None:
    add(kb, *cities(kb))
    assert kb.delete_documents(*(one.id for one in cities(kb))) == len(CITIES)
    assert set(counts(kb).values()) == {0}
    assert graph(kb) == set()
    add(kb, *cities(kb))
    assert counts(kb)["Document"] == len(CITIES)
    kb.delete()
    assert graph(kb) == set()
    with pytest.raises(NotFoundError, match=kb.name):
        kb.stats()


def test_a_deleted_title_falls_back_to_the_shorter_one(kb: KnowledgeBase) -> None:
    page = document(kb, "Notes", "People visit the old Maren light house often.")
    add(kb, page, document(kb, "Maren", "Maren is here."), document(kb, "Old Maren Light", "It stands."))
    sentence = "People visit the old Maren light house often."
    assert links(kb) == {(sentence, "Old Maren Light")}
    kb.delete_documents(document_id(kb.name, "upload:Old Maren Light"))
    assert links(kb) == set()  # Maren is a name in the sentence itself
    assert entity_id(kb.name, "old maren light") not in dump(kb)[0]
    kb.delete_documents(document_id(kb.name, "upload:Maren"))
    assert dump(kb)[0][entity_id(kb.name, "maren")]["page"] is False


def test_a_link_is_spelled_as_where_it_still_points(kb: KnowledgeBase) -> None:
    """The longer title takes the first mention over, so that the second one is what links to the shorter title."""
    notes = document(kb, "Notes", "The Old mill road leads to the old mill.")
    mill, road = document(kb, "Old Mill", "It turns."), document(kb, "Old Mill Road", "It is long.")
    add(kb, notes, mill)
    assert link_surfaces(kb) == {"Old mill"}
    add(kb, road)
    expected = graph(kb)
    assert link_surfaces(kb) == {"Old mill road", "old mill"}
    kb.delete_documents(road.id)
    assert link_surfaces(kb) == {"Old mill"}
    kb.delete_documents(notes.id, mill.id)
    add(kb, road, mill)
    add(kb, notes)
    same(expected, graph(kb))


def link_surfaces(kb: KnowledgeBase) -> set[str]:
    return {row["properties"]["surface"] for row in dump(kb)[1] if row["properties"].get("role") == "link"}


def test_two_pages_of_one_title_share_its_links(kb: KnowledgeBase) -> None:
    namesakes = [document(kb, f"Old Mill ({place})", f"It is in {place}.") for place in ("Ansby", "Iskeld")]
    add(kb, document(kb, "Notes", "They met at the old mill."), *namesakes)
    assert links(kb) == {("They met at the old mill.", "Old Mill")}
    kb.delete_documents(namesakes[0].id)
    assert links(kb) == {("They met at the old mill.", "Old Mill")}
    kb.delete_documents(namesakes[1].id)
    assert links(kb) == set()


def test_two_documents_share_a_fact(kb: KnowledgeBase) -> None:
    one = document(kb, "Ansby", "It was founded by Ada. It has a mill.", "upload:one")
    other = document(kb, "Ansby", "It was founded by Ada. It has a quay.", "upload:other")
    add(kb, one, other)
    assert counts(kb)["Hyperedge"] == 3
    assert counts(kb)["STATES"] == 4
    kb.delete_documents(one.id)
    nodes, _ = dump(kb)
    assert {n["text"] for n in nodes.values() if "lead" in n} == {
        "Ansby: It was founded by Ada.",
        "Ansby: It has a quay.",
    }
    kb.delete_documents(other.id)
    assert graph(kb) == set()


def test_a_changed_file_replaces_exactly(kb: KnowledgeBase, tmp_path: Path) -> None:
    for title, text in CITIES.items():
        (tmp_path / f"{title}.txt").write_text(f"{title}\n\n{text}")
    kb.ingest(str(tmp_path))
    before = graph(kb)
    changed = tmp_path / "New York City.txt"
    old = changed.read_text()
    changed.write_text("Gotham\n\nGotham is another name. It has bats.")
    report = kb.ingest(str(tmp_path))
    assert (report.documents, report.replaced, report.unchanged, report.removed) == (1, 1, len(CITIES) - 1, 0)
    assert ("The new York city hall was built in 1891.", "New York City") not in links(kb)
    during = graph(kb)
    embedder = kb.embedder
    kb.delete()
    kb.__dict__["embedder"] = embedder
    kb.ingest(str(tmp_path))
    same(during, graph(kb))
    changed.write_text(old)
    kb.ingest(str(tmp_path))
    same(before, graph(kb))


def corpus(path: Path, titles: Sequence[str], broken: Sequence[str] = ()) -> str:
    lines = [json.dumps({"title": title, "text": CITIES[title]}) for title in titles]
    path.write_text("".join(f"{line}\n" for line in [*lines, *broken]))
    return str(path)


def test_a_row_that_is_gone_is_removed(kb: KnowledgeBase, tmp_path: Path) -> None:
    path = tmp_path / "corpus.jsonl"
    rest = list(CITIES)[1:]
    kb.ingest(corpus(path, rest))
    without = graph(kb)
    assert kb.ingest(corpus(path, list(CITIES))).documents == 1
    report = kb.ingest(corpus(path, rest))
    assert (report.documents, report.unchanged, report.removed) == (0, len(rest), 1)
    same(without, graph(kb))


def test_what_comes_on_standard_input_removes_nothing(kb: KnowledgeBase, tmp_path: Path) -> None:
    first, second = (Path(corpus(tmp_path / f"{n}.jsonl", list(CITIES)[n::2])).read_bytes() for n in (0, 1))
    for data in (first, b"Skarn\n\nSkarn is a town.", b"Tarn\n\nTarn is a lake.", second, second):
        assert kb.ingest("-", stdin=io.BytesIO(data)).removed == 0
    assert sorted(row["title"] for row in kb.documents()) == sorted([*CITIES, "Skarn", "Tarn"])


def test_a_message_stays_beside_what_is_attached_to_it(kb: KnowledgeBase, tmp_path: Path) -> None:
    message = EmailMessage()
    message["Subject"] = "Lamps of the Orlo ferry"
    message.set_content("Rune Aas ordered forty lamps.")
    message.add_attachment("Each lamp cost 12 crowns.", filename="price.txt")
    message.add_attachment("Lene Aas carried them.", filename="carrier.txt")
    (tmp_path / "lamps.eml").write_bytes(message.as_bytes())
    (tmp_path / "later.txt").write_text("The ferry sank.")
    for new in (4, 0):
        report = kb.ingest(str(tmp_path))
        assert (report.documents, report.removed) == (new, 0)
        assert [one["title"] for one in kb.documents()] == ["carrier", "Lamps of the Orlo ferry", "later", "price"]
    message.set_payload(message.get_payload()[:2])  # type: ignore[index]
    (tmp_path / "lamps.eml").write_bytes(message.as_bytes())
    assert kb.ingest(str(tmp_path)).removed == 1
    assert [one["title"] for one in kb.documents()] == ["Lamps of the Orlo ferry", "later", "price"]


def test_a_source_that_is_one_document_now_loses_its_rows(kb: KnowledgeBase, tmp_path: Path) -> None:
    (table := tmp_path / "wells.csv").write_text("well,text\nArdg,Ardg has two wells.\nOsby,Osby has one well.\n")
    (message := tmp_path / "note.eml").write_text("Subject: Note\n\nPer Lund dug a well.")
    (tmp_path / "ardg.txt").write_text("Ardg is a village.")
    assert kb.ingest(str(tmp_path)).documents == 4
    table.write_text("well,depth\nArdg,12\nOsby,9\n")
    report = kb.ingest(str(tmp_path))
    assert (report.documents, report.unchanged, report.removed) == (1, 2, 2)
    assert sorted(row["title"] for row in kb.documents()) == ["Note", "ardg", "wells"]
    assert not kb.compare(tmp_path)
    before = graph(kb)
    attached = EmailMessage()
    attached["Subject"] = "Note"
    attached.set_content("Per Lund dug a well.")
    attached.add_attachment("It cost 8 crowns.", filename="bill.txt")
    plain = message.read_bytes()
    message.write_bytes(attached.as_bytes())
    assert kb.ingest(str(tmp_path)).removed == 0
    message.write_bytes(plain)
    assert kb.ingest(str(tmp_path)).removed == 1
    assert not kb.compare(tmp_path)
    same(before, graph(kb))


def test_a_broken_row_removes_nothing(kb: KnowledgeBase, tmp_path: Path) -> None:
    path = tmp_path / "corpus.jsonl"
    kb.ingest(corpus(path, list(CITIES)))
    before = graph(kb)
    report = kb.ingest(corpus(path, list(CITIES)[1:], ['{"title": "York", "text": ']))
    assert (report.removed, len(report.skipped)) == (0, 1)
    same(before, graph(kb))


def test_rows_may_change_places(kb: KnowledgeBase, tmp_path: Path) -> None:
    path = tmp_path / "corpus.jsonl"
    kb.ingest(corpus(path, list(CITIES)))
    before = graph(kb)
    report = kb.ingest(corpus(path, list(CITIES)[::-1]))
    assert (report.documents, report.removed) == (0, 0)
    same(before, graph(kb))


def test_a_new_extractor_version_extracts_anew(kb: KnowledgeBase, monkeypatch: pytest.MonkeyPatch) -> None:
    add(kb, *cities(kb))
    monkeypatch.setattr("clew.extraction.sentences.SentenceExtractor.name", "sentences-next")
    assert add(kb, *cities(kb)).documents == len(CITIES)
    assert add(kb, *cities(kb)).documents == 0


class OlderExtractor(SentenceExtractor):
    """Rules that find one name too many in each sentence, and another role for those of today."""

    name = "sentences-older"

    def extract(self, document: Document, chunk: Chunk) -> list[ExtractedFact]:
        found = super().extract(document, chunk)
        more = Participant("Elder Ann", "mention"), Participant("New York", "subject")
        return [replace(fact, participants=(*more, *fact.participants)) for fact in found]


@pytest.mark.parametrize("at_once", [True, False])
def test_a_base_by_an_older_extractor_becomes_that_of_a_fresh_ingest(kb: KnowledgeBase, at_once: bool) -> None:
    documents = [*cities(kb), document(kb, "York", CITIES["York"], "upload:York again")]
    add(kb, *documents)
    fresh = graph(kb)
    kb.delete()
    kb.ingest_documents(iter(documents), extractor=OlderExtractor())
    assert "Elder Ann" in {row["name"] for row in dump(kb)[0].values()}
    for some in (documents,) if at_once else ([one] for one in documents):
        add(kb, *some)
    same(fresh, graph(kb))


def test_what_an_older_clew_left_of_earlier_rules_is_found_and_mended(
    kb: KnowledgeBase, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A database in which documents were written anew before participants of earlier rules went."""

    def connected() -> set[tuple[str, str]]:
        return {(r["start"], r["end"]) for r in dump(kb)[1] if r["type"] == "CONNECTS"}

    add(kb, *cities(kb))
    fresh = connected()
    kb.delete()
    kb.ingest_documents(iter(cities(kb)), extractor=OlderExtractor())
    monkeypatch.setattr("clew.ingest.batch._clear_facts", lambda *_: [])
    add(kb, *cities(kb))
    assert connected() > fresh
    [found] = check(kb).findings
    assert (found.kind, found.count) == ("participants", len(connected() - fresh))
    assert check(kb, mend=True).clean
    assert connected() == fresh
    assert check(kb).findings == ()


def test_an_ingest_that_fails_leaves_no_thread_at_work(kb: KnowledgeBase, monkeypatch: pytest.MonkeyPatch) -> None:
    """A thread that encodes while Python ends aborts the process: no message, and SIGABRT in place of the code."""

    def full(*_: object) -> None:
        raise StoreFailedError("Neo4j cannot write its files: free some space.")

    monkeypatch.setattr("clew.ingest.pipeline.write", full)
    many = (document(kb, f"Town {number}", f"Town {number} lies by the sea. " * 50) for number in range(3000))
    with pytest.raises(StoreFailedError) as held:
        kb.ingest_documents(many)
    assert [thread.name for thread in threading.enumerate() if thread.name == "prefetch"] == []
    assert held.value.exit_code == 4


def test_vectors_are_those_of_the_encoder(kb: KnowledgeBase) -> None:
    add(kb, *cities(kb))
    nodes, _ = dump(kb)
    for label, text in (("Hyperedge", "text"), ("Entity", "key")):
        ids, found = vectors(kb.database, kb.name, label)
        expected = kb.embedder.embed([nodes[id][text] for id in ids])
        assert (found * expected).sum(axis=1).min() > 0.99
