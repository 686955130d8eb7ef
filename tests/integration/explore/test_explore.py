"""Looking around in a knowledge base on a real Neo4j: search, one thing and what is around it, counts."""

from __future__ import annotations

import pytest

from clew.errors import InputError, NotFoundError
from clew.explore import look, search
from clew.ingest.link import describe_stale
from clew.ingest.pipeline import Progress
from clew.knowledge_base import KnowledgeBase
from clew.resolution.merges import find_entity, merge
from tests.integration.graphs import cities

MARR = "Josiah Marr"


@pytest.mark.parametrize("text", ["Josiah Marr", "JOSIAH mar", "josiáh marr"])
def test_a_name_is_found_by_its_words_however_it_is_typed(encyclopaedia: KnowledgeBase, text: str) -> None:
    found = search.describe_entities(encyclopaedia, search.search_entities(encyclopaedia, text, by="words"))
    assert found[0]["name"] == MARR


@pytest.mark.parametrize("text", ['"', "*", "a AND (", "\\", "kb:other", "+-!{}[]^~?/", "\ud800 lens\0"])
def test_signs_of_the_query_language_are_only_signs(encyclopaedia: KnowledgeBase, text: str) -> None:
    for by in search.WAYS:
        assert isinstance(search.search_entities(encyclopaedia, text, by=by), list)
        assert isinstance(search.search_facts(encyclopaedia, text, by=by), list)
    assert isinstance(search.list_documents(encyclopaedia, text), list)


@pytest.mark.parametrize("text", [" ".join(f"word{n}" for n in range(3000)), "a" * 400_000], ids=["many", "one"])
def test_words_may_be_many_and_long(encyclopaedia: KnowledgeBase, text: str) -> None:
    assert search.search_entities(encyclopaedia, text, by="words") == []
    assert search.search_facts(encyclopaedia, text, by="words") == []
    assert search.search_facts(encyclopaedia, f"lighthouse {text}", by="words")


def test_filters_keep_to_a_type_a_role_and_a_document(encyclopaedia: KnowledgeBase) -> None:
    dates = search.describe_entities(encyclopaedia, search.search_entities(encyclopaedia, "1844", type="date"))
    assert dates
    assert {row["type"] for row in dates} == {"date"}
    facts = search.describe_facts(encyclopaedia, search.search_facts(encyclopaedia, "lighthouse", role="link"))
    assert facts
    assert all("link" in {p["role"] for p in row["participants"]} for row in facts)
    document = search.list_documents(encyclopaedia, MARR)[0]
    inside = search.search_facts(encyclopaedia, "designed lighthouse", document=document["id"])
    stated = [row["id"] for row in look.document_spans(encyclopaedia, document["id"])]
    assert set(inside) == set(stated)
    assert "designed" in search.describe_facts(encyclopaedia, inside[:1])[0]["text"]


def test_meaning_finds_what_words_do_not(encyclopaedia: KnowledgeBase) -> None:
    question = "Which architect is responsible for the beacon towers?"
    found = search.search_facts(encyclopaedia, question, by="meaning")
    assert any("lighthouse" in row["text"].lower() for row in search.describe_facts(encyclopaedia, found[:5]))
    both = search.search_facts(encyclopaedia, question)
    assert set(found[:3]) <= set(both)


def test_an_entity_has_its_facts_by_role_and_what_is_around_it(encyclopaedia: KnowledgeBase) -> None:
    id = search.search_entities(encyclopaedia, MARR, by="words")[0]
    entity = look.entity(encyclopaedia, id)
    assert [page["title"] for page in entity["pages"]] == [MARR]
    for role in entity["roles"]:
        assert len(look.entity_facts(encyclopaedia, id, role=role["role"], limit=1_000)) == role["facts"]
    around = look.around_entity(encyclopaedia, id)
    assert MARR in {document["title"] for document in around["documents"]}
    assert id not in {neighbour["id"] for neighbour in around["neighbours"]}


def test_the_text_around_a_fact_holds_the_words_that_state_it(encyclopaedia: KnowledgeBase) -> None:
    ids = search.search_facts(encyclopaedia, "lighthouse", by="words")[:20]
    assert ids
    for id in ids:
        fact = look.fact(encyclopaedia, id)
        source = fact["sources"][0]
        text = str(encyclopaedia.document(source["document"])["text"])
        inside = source["text"][source["start"] - source["first"] : source["end"] - source["first"]]
        assert inside == text[source["start"] : source["end"]]
        assert fact["participants"]


def test_counts_add_up(encyclopaedia: KnowledgeBase) -> None:
    nodes = encyclopaedia.stats()["nodes"]
    counts = look.overview(encyclopaedia)
    assert sum(row["documents"] for row in counts["facts_per_document"]) == nodes["Document"]
    assert sum(row["entities"] for row in counts["degrees"]) == nodes["Entity"]
    assert sum(row["count"] for row in look.types(encyclopaedia)) == nodes["Entity"]
    assert sum(row["count"] for row in look.roles(encyclopaedia)) == encyclopaedia.stats()["relationships"]["CONNECTS"]


def test_what_was_just_written_or_deleted_counts(kb: KnowledgeBase) -> None:
    kb.ingest_bytes(b"Orla Finch built the Tarn Mill in 1850.", "mill.txt")
    first = look.version(kb)
    id = search.search_entities(kb, "Orla Fin", by="words")[0]
    kb.delete_documents(kb.documents()[0]["id"])
    assert look.version(kb) != first
    assert search.search_entities(kb, "Orla Fin", by="words") == []
    with pytest.raises(NotFoundError, match="There is no entity"):
        look.entity(kb, id)


def test_knowledge_bases_are_kept_apart(encyclopaedia: KnowledgeBase, kb: KnowledgeBase) -> None:
    kb.ingest_bytes(b"Josiah Marr baked bread in Norham.", "bread.txt")
    assert not set(search.search_entities(kb, MARR)) & set(search.search_entities(encyclopaedia, MARR))
    assert len(search.describe_entities(kb, search.search_entities(encyclopaedia, MARR))) == 0


def test_an_unknown_way_to_search_is_refused(encyclopaedia: KnowledgeBase) -> None:
    with pytest.raises(InputError, match="both, words, meaning"):
        search.search_facts(encyclopaedia, "light", by="magic")  # type: ignore[arg-type]


def test_what_is_still_being_brought_in_can_be_explored(kb: KnowledgeBase) -> None:
    """Degrees are written when an ingest ends; until then facts are counted as they are asked for."""

    class Halt(Exception):
        """What stops an ingest before its end."""

    def halt(_: Progress) -> None:
        raise Halt

    with pytest.raises(Halt):
        kb.ingest_documents(iter(cities(kb)), on_progress=halt)
    half = look.version(kb)
    found = search.describe_entities(kb, search.search_entities(kb))
    degrees = [row["degree"] for row in found]
    assert degrees == sorted(degrees, reverse=True)
    assert degrees[0] > 1
    assert look.entity(kb, found[0]["id"])["degree"] == degrees[0]
    assert sum(row["entities"] for row in look.overview(kb)["degrees"]) == kb.stats()["nodes"]["Entity"]
    kb.ingest_documents(iter(cities(kb)))
    assert look.version(kb) != half
    assert all(row["degree"] for row in search.describe_entities(kb, search.search_entities(kb)))


def test_names_that_are_described_anew_are_another_version(kb: KnowledgeBase) -> None:
    """Lists that are kept for a version show no degrees of before."""
    kb.ingest_documents(iter(cities(kb, ["York"])))
    before = look.version(kb)
    kb.database.write("ingest/mark_stale", entities=search.search_entities(kb))
    describe_stale(kb.database, kb.name)
    assert look.version(kb) != before
    described = look.version(kb)
    describe_stale(kb.database, kb.name)
    assert look.version(kb) == described


def test_two_names_are_connected_by_what_facts_state_and_by_merges(kb: KnowledgeBase) -> None:
    for title, text in (
        ("Budget 2024 by Department", "Orla Finch paid the Tarn Mill."),
        ("Staff 2024 by Department", "Vera Moss left in May 2024. Dr. Vera Moss bought the Tarn Mill."),
    ):
        kb.ingest_bytes(f"# {title}\n\n{text}".encode(), f"{title}.md")
    orla, vera, doctor = (find_entity(kb, name) for name in ("Orla Finch", "Vera Moss", "Dr. Vera Moss"))
    assert find_entity(kb, "Department")  # which both titles have, and no fact states
    assert [way["names"][2] for way in look.ways(kb, orla, vera)] == ["Staff 2024 by Department"]
    merge(kb, vera, doctor)
    way = look.ways(kb, orla, vera)[0]
    assert way["names"] == ["Orla Finch", "Tarn Mill", "Dr. Vera Moss", "Vera Moss"]
    assert len(way["facts"]) == 2
