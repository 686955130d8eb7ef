"""The facade: documents in, cited answers out."""

from __future__ import annotations

import asyncio
import json
import os
import re
import threading
import warnings
from collections.abc import AsyncIterator, Callable, Collection, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, BinaryIO

from clew import arguments
from clew.database.connection import Database, Row
from clew.database.schema import migrate
from clew.errors import DatabaseError, EmbedderError, InputError, NotFoundError
from clew.explore.schema import NODES, RELATIONSHIPS, graph_schema
from clew.notebook import html_table
from clew.settings import Settings, load_settings
from clew.text.outline import from_json
from clew.trajectories.standing import Standing, dated, standing
from clew.trajectories.store import (
    TrajectoryFilter,
    find_trajectories,
    load_trajectory,
    mend_trajectories,
    rate_trajectory,
    read_citation,
    store_trajectory,
)
from clew.types import (
    Citation,
    Document,
    IngestReport,
    Json,
    Passage,
    Retrieved,
    Skipped,
    Step,
    Support,
    Trajectory,
    Verdict,
)

if TYPE_CHECKING:
    from langchain_core.embeddings import Embeddings

    from clew.adoption.mapping import GraphMapping
    from clew.agent.loop import Event
    from clew.embedding import Embedder
    from clew.extraction.graph_documents import GraphDocument
    from clew.ingest.extractor import Extractor
    from clew.ingest.pipeline import Progress
    from clew.ingest.remove import Removal
    from clew.ingest.spread import Spread
    from clew.ingest.sync import Difference
    from clew.retrieval.filter import Filter
    from clew.retrieval.langchain import ClewRetriever
    from clew.retrieval.reranker import Reranker
    from clew.retrieval.strategy import Strategy

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,62}")
_DELETE_BATCH = 2000
MOST_OF_TABLES = 400
"""Passages that are read for what is asked over all rows of tables, at most."""


def connect(settings: Settings | None = None, *, progress: bool = False) -> Database:
    """Connect to Neo4j, starting Clew's own server where none is set, and bring its schema up to date.

    Raises DatabaseError, with what to do, where that fails.
    """
    settings = settings or load_settings()
    database = Database.open(settings, progress=progress)
    try:
        migrate(database, progress=progress, plain_labels=settings.plain_labels)
    except BaseException:
        database.close()
        raise
    return database


def check_name(name: str) -> str:
    """The name, if a knowledge base may have it. Raises InputError for any other."""
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        raise InputError(
            f"{str(name)[:80]!r} is no name for a knowledge base: use up to 63 letters, digits, dots, dashes and "
            "underscores, beginning with a letter or digit."
        )
    return name


def list_knowledge_bases(database: Database) -> list[Row]:
    """Name, description, encoder, dimensions and number of documents of every knowledge base, and if it is hidden."""
    return database.read("kb/list")


class KnowledgeBase:
    """A named hypergraph in Neo4j with an encoder: what documents go into, and answers come out of.

    ``KnowledgeBase.open("notes")`` connects (and starts Neo4j where needed); use it as a context manager. It comes into
    being with the first ingest. Safe to share between threads.
    """

    def __init__(self, name: str, database: Database, settings: Settings) -> None:
        self.name = check_name(name)
        self.database = database
        self.settings = settings

    @classmethod
    def open(
        cls, name: str | None = None, *, settings: Settings | None = None, progress: bool = False
    ) -> KnowledgeBase:
        """Connect to Neo4j and name a knowledge base, which need not exist yet.

        Raises InputError for a bad name, DatabaseError where Neo4j cannot be reached or started.
        """
        settings = settings or load_settings()
        name = check_name(settings.kb if name is None else name)
        return cls(name, connect(settings, progress=progress), settings)

    def __repr__(self) -> str:
        return f"<KnowledgeBase {self.name!r}>"

    def _repr_html_(self) -> str:
        counts = self.stats() if self.exists() else {"nodes": {}, "relationships": {}}
        rows = [(name, f"{n:,}") for name, n in {**counts["nodes"], **counts["relationships"]}.items()]
        return html_table(f"Knowledge base {self.name}", rows)

    def __enter__(self) -> KnowledgeBase:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the connection; Neo4j goes on."""
        self.database.close()

    @cached_property
    def embedder(self) -> Embedder:
        """The encoder that wrote this knowledge base, or for a new one the encoder of the settings."""
        rows = self.database.read("kb/encoder", kb=self.name)
        return self._load(rows[0] if rows else None)

    def encoder(self) -> tuple[Embedder, Database]:
        """The encoder of the vectors that are searched, and the connection whose statements are about them.

        The two belong together as long as they are held, also where the knowledge base changes to another encoder
        meanwhile (``clew.operations.reindex``).
        """
        rows = self.database.read("kb/encoder", kb=self.name)
        row = rows[0] if rows else None
        embedder = self.__dict__.get("embedder")
        if embedder is None or (row and embedder.name != row["embedder"]):
            embedder = self.__dict__["embedder"] = self._load(row)
        return embedder, self.database.at(row["slot"] if row else "")

    def _load(self, row: Row | None) -> Embedder:
        from clew.embedding import shared_embedder

        own = self.settings
        name = row["embedder"] if row else own.embedder
        embedder = shared_embedder(own.model_copy(update={"embedder": name}), fetch=name == own.embedder)
        if row and row["dimensions"] != embedder.dimensions:
            raise EmbedderError(
                f"Knowledge base {self.name!r} was written with {row['dimensions']} dimensions by the encoder "
                f"{name!r}, which now has {embedder.dimensions}: change to it with "
                f"`clew reindex --kb {self.name} --embedder {name}`."
            )
        return embedder

    @cached_property
    def reranker(self) -> Reranker | None:
        """The reranker of the settings, None where they name none. Raises EmbedderError if it cannot be loaded."""
        from clew.retrieval.reranker import load_reranker

        return load_reranker(self.settings)

    def exists(self) -> bool:
        """Whether something has ever been ingested, and the knowledge base not been deleted since."""
        return bool(self.database.read("kb/get", kb=self.name))

    def create(self) -> None:
        """Make it, with the encoder of the settings, where it does not exist; an ingest does so by itself."""
        encoder = self.embedder
        self.database.write(
            "kb/create", kb=self.name, embedder=encoder.name, dimensions=encoder.dimensions, precision=encoder.precision
        )

    def describe(self, description: str | None = None, *, hidden: bool | None = None) -> None:
        """Say what it is about, and whether lists of the app leave it out; None leaves that as it is."""
        self.must_exist()
        self.database.write("kb/describe", kb=self.name, description=description, hidden=hidden)

    def must_exist(self) -> None:
        """Raise NotFoundError, with what to do, where nothing has ever been ingested."""
        if not self.exists():
            raise NotFoundError(
                f"There is no knowledge base {self.name!r}: see `clew kb list`, or make it with "
                f"`clew ingest FILES --kb {self.name}`."
            )

    def ingest(
        self,
        *sources: str | os.PathLike[str],
        stdin: BinaryIO | None = None,
        extractor: Extractor | None = None,
        on_progress: Callable[[Progress], None] | None = None,
        spread: Spread | None = None,
        encoding: str | None = None,
    ) -> IngestReport:
        """Bring in files, folders, globs, http(s) addresses, or ``-`` for standard input.

        What is there already stays as it is; a changed document replaces its old version. A source that cannot be read
        is in the report's ``skipped`` with its reason, and the others go on. ``spread`` is where the work is done
        (``clew.ingest.spread.connected``). ``encoding`` is what texts are written in, where it would be guessed wrong.
        Raises InputError for a source that is no path and for an encoding that is none, and DatabaseError,
        EmbedderError or ClusterError, after which a second call finishes the job.
        """
        from clew.ingest.load import load

        return self.ingest_documents(
            load(
                [arguments.source(one) for one in sources],
                kb=self.name,
                settings=self.settings,
                stdin=stdin,
                encoding=encoding,
            ),
            extractor=extractor,
            on_progress=on_progress,
            spread=spread,
        )

    def compare(
        self, folder: str | os.PathLike[str], *, encoding: str | None = None, among: Collection[str] | None = None
    ) -> Difference:
        """What differs between this knowledge base and a folder (``clew.ingest.sync.compare``); changes nothing."""
        from clew.ingest.sync import compare

        place = arguments.source(folder)
        return compare(self.database, self.name, place, self.settings, encoding=encoding, among=among)

    def sync(
        self,
        difference: Difference,
        *,
        encoding: str | None = None,
        on_progress: Callable[[Progress], None] | None = None,
    ) -> IngestReport:
        """Do what ``compare`` has found: bring in what is new, changed or moved, and delete what is gone.

        Documents of other places stay as they are. Raises what ``ingest`` raises; a second call finishes the job.
        """
        report = self.ingest(*difference.read, encoding=encoding, on_progress=on_progress)
        return replace(report, removed=report.removed + self.delete_known(difference.gone))

    async def aingest(
        self,
        *sources: str | os.PathLike[str],
        on_progress: Callable[[Progress], None] | None = None,
        **options: Any,
    ) -> IngestReport:
        """``ingest`` without blocking the event loop; cancelled, it ends with what it is writing, which stays whole."""
        cancelled = threading.Event()

        def progress(state: Progress) -> None:
            if cancelled.is_set():
                raise asyncio.CancelledError
            if on_progress is not None:
                on_progress(state)

        try:
            return await asyncio.to_thread(self.ingest, *sources, on_progress=progress, **options)
        except asyncio.CancelledError:
            cancelled.set()
            raise

    def ingest_bytes(
        self,
        data: bytes,
        name: str,
        *,
        on_progress: Callable[[Progress], None] | None = None,
        encoding: str | None = None,
    ) -> IngestReport:
        """Bring in one file's content, such as an upload; ``name`` tells its format, and is its source.

        Raises what ``ingest`` raises, and InputError for what is no bytes.
        """
        from clew.ingest.load import load_bytes

        data, name = arguments.content(data), arguments.text(name, "The name of a file")
        loaded = load_bytes(data, name, kb=self.name, settings=self.settings, encoding=encoding)
        return self.ingest_documents(loaded, on_progress=on_progress)

    def ingest_documents(
        self,
        items: Iterator[Document | Skipped],
        *,
        extractor: Extractor | None = None,
        on_progress: Callable[[Progress], None] | None = None,
        spread: Spread | None = None,
        together: int | None = None,
    ) -> IngestReport:
        """Bring in documents that are loaded already, so many ``together``; see ``ingest``."""
        from clew.extraction.sentences import SentenceExtractor
        from clew.ingest.pipeline import CHUNKS, ingest
        from clew.ingest.spread import HERE

        rows = self.database.read("kb/get", kb=self.name)
        embedder, database = self.encoder()
        try:
            report = ingest(
                items,
                kb=self.name,
                database=database,
                embedder=embedder,
                extractor=extractor or SentenceExtractor(),
                chunk_chars=self.settings.chunk_chars,
                on_progress=on_progress or (lambda _: None),
                spread=spread or HERE,
                together=together or CHUNKS,
            )
        except BaseException:
            if not rows:
                self._delete_if_empty()
            raise
        mend_trajectories(self.database, self.name)
        return report

    def import_openie(
        self, path: str, *, sentences: bool = False, on_progress: Callable[[Progress], None] | None = None
    ) -> IngestReport:
        """Bring in an OpenIE file: rows of title, text and triples, each triple that the text shows as a fact.

        With ``sentences`` the sentences are facts too. What was dropped is in the report's ``extraction``. Raises
        InputError where there is no such file.
        """
        from clew.extraction.openie import load_openie

        return self._import(load_openie(path, kb=self.name, settings=self.settings), sentences, on_progress)

    def import_graph_documents(
        self,
        graph_documents: Iterable[GraphDocument],
        *,
        sentences: bool = False,
        on_progress: Callable[[Progress], None] | None = None,
    ) -> IngestReport:
        """Bring in LangChain GraphDocuments, each relationship that the source's text shows as a fact."""
        from clew.extraction.graph_documents import graph_document_items

        return self._import(graph_document_items(graph_documents, self.name), sentences, on_progress)

    def adopt(self, mapping: GraphMapping, *, on_progress: Callable[[Progress], None] | None = None) -> IngestReport:
        """Bring in a graph that is in the same Neo4j, as a mapping says (``clew.adoption.mapping.load_mapping``).

        Called again, it follows what has changed; what the mapping no longer finds goes. The graph itself stays as it
        is. Raises InputError where the mapping finds nothing, else what ``ingest_documents`` raises.
        """
        from clew.adoption.adopt import adopted_items
        from clew.extraction.given import GivenExtractor

        return self.ingest_documents(
            adopted_items(self.database, self.name, mapping), extractor=GivenExtractor(), on_progress=on_progress
        )

    def strategy(self, name: str | None = None, filter: Filter | None = None) -> Strategy:
        """The retrieval strategy ``name`` (that of the settings where none is named) on this knowledge base.

        With a ``filter``, it sees only the documents that fulfil it when it is made. Raises InputError for an unknown
        strategy and for a filter that is none, NotFoundError if the knowledge base, or a field of the filter, does not
        exist.
        """
        from clew.retrieval.filter import kept_to
        from clew.retrieval.registry import create_strategy

        self.must_exist()
        embedder, database = self.encoder()
        kept = kept_to(database, self.name, filter)
        return create_strategy(name or self.settings.strategy, kept, embedder, self.name, self.reranker)

    def retrieve(
        self,
        queries: Sequence[str],
        k: int | None = None,
        strategy: str | None = None,
        filter: Filter | None = None,
    ) -> list[Retrieved]:
        """The ``k`` best facts and passages for each query, in one batch.

        ``filter`` keeps the search to documents by what they say of themselves: ``"author=Karin Holt"``, a list of such
        conditions, or ``{"author": "Karin Holt", "year": {">=": 2019}}`` (``clew.retrieval.filter``).
        """
        from clew.text.normalise import clean

        if isinstance(queries, (str, bytes)) or not isinstance(queries, Sequence):
            queries = [queries]
        k = self._k(k)
        return self.strategy(strategy, filter).retrieve([clean(query) for query in queries], k)

    async def aretrieve(
        self,
        queries: Sequence[str],
        k: int | None = None,
        strategy: str | None = None,
        filter: Filter | None = None,
    ) -> list[Retrieved]:
        """``retrieve`` without blocking the event loop."""
        return await asyncio.to_thread(self.retrieve, queries, k, strategy, filter)

    def fields(self) -> dict[str, list[str]]:
        """What documents can be filtered by: the fields that they have, each with its most common values."""
        from clew.retrieval.filter import fields_of

        self.must_exist()
        return fields_of(self.database, self.name)

    def ask(
        self,
        question: str,
        *,
        policy: str | None = None,
        strategy: str | None = None,
        model: str | None = None,
        k: int | None = None,
        filter: Filter | None = None,
        history: Sequence[tuple[str, str]] = (),
        on_event: Callable[[Event], None] | None = None,
        should_stop: Callable[[], bool] | None = None,
        store: bool = True,
        origin: str = "chat",
    ) -> Trajectory:
        """Let the agent answer a question over several turns, and with ``store`` keep the trajectory in the graph.

        ``model`` is another language model of the server that the settings name; ``filter`` is that of ``retrieve``;
        ``history`` holds earlier questions with their answers; ``on_event`` receives each step; ``origin``
        says what the trajectory was for (``chat``, ``evaluation``). Raises InputError for an empty question, a ``k``
        below 1 or a bad filter, ModelError where a language model fails.
        """
        from clew.agent.loop import run

        agent = self._agent(policy, strategy, model, k, history, should_stop, filter)
        trajectory = self._dated(self._kept(run(question, on_event=on_event, **agent), filter))
        if store and _has_begun(trajectory):
            store_trajectory(self.database, trajectory, origin=origin, history=history)
        return trajectory

    async def aask(self, question: str, *, should_stop: Callable[[], bool] | None = None, **options: Any) -> Trajectory:
        """``ask`` without blocking the event loop; cancelling it stops the agent as ``should_stop`` would."""
        cancelled = threading.Event()

        def stop() -> bool:
            return cancelled.is_set() or (should_stop is not None and should_stop())

        try:
            return await asyncio.to_thread(self.ask, question, should_stop=stop, **options)
        except asyncio.CancelledError:
            cancelled.set()
            raise

    def stream(
        self,
        question: str,
        *,
        policy: str | None = None,
        strategy: str | None = None,
        model: str | None = None,
        k: int | None = None,
        filter: Filter | None = None,
        history: Sequence[tuple[str, str]] = (),
        should_stop: Callable[[], bool] | None = None,
        id: str | None = None,
    ) -> Iterator[Event]:
        """``ask`` as an iterator over its events; the trajectory is stored before the last one, Finished, is given.

        ``id`` is the id that the trajectory is to have; None makes one. Raises what ``ask`` raises, and InputError for
        an id that is no text or taken: at once for what is wrong with the arguments, else while it is read.
        """
        from clew.agent.loop import Finished, check_question, stream

        question = check_question(question)
        taken = id is not None and self.database.read(
            "trajectory/get", kb=self.name, id=arguments.text(id, "The id of a trajectory")
        )
        if taken:
            raise InputError(f"There is a trajectory {str(id)[:40]!r} already: choose another id, or none.")
        agent = self._agent(policy, strategy, model, k, history, should_stop, filter)

        def events() -> Iterator[Event]:
            for event in stream(question, **agent):
                if isinstance(event, Finished):
                    kept = self._kept(event.trajectory, filter)
                    event = Finished(self._dated(replace(kept, id=id or kept.id)))
                    if _has_begun(event.trajectory):
                        store_trajectory(self.database, event.trajectory, history=history)
                yield event

        return events()

    async def astream(
        self, question: str, *, should_stop: Callable[[], bool] | None = None, **options: Any
    ) -> AsyncIterator[Event]:
        """``stream`` without blocking the event loop; whoever stops reading stops the agent after the turn it is at."""
        left = threading.Event()

        def stop() -> bool:
            return left.is_set() or (should_stop is not None and should_stop())

        try:
            events = await asyncio.to_thread(self.stream, question, should_stop=stop, **options)
            while (event := await asyncio.to_thread(next, events, None)) is not None:
                yield event
        finally:
            left.set()

    def entities(self, text: str = "", *, type: str | None = None, limit: int = 20) -> list[Row]:
        """The entities that fit ``text`` best, by its words and its meaning; without a text the best connected ones.

        Each has ``id``, ``name``, ``type``, ``degree`` (how many facts it takes part in) and ``aliases``.
        """
        from clew.explore.search import describe_entities, search_entities

        limit = self._limit(limit)
        return describe_entities(self, search_entities(self, text, type=type)[:limit])

    def facts(
        self, text: str = "", *, entity: str | None = None, document: str | None = None, limit: int = 20
    ) -> list[Row]:
        """The facts that fit ``text`` best, or those of an entity or a document, which are named by their ids.

        Each has ``id``, ``text``, ``participants`` (id, name and role) and up to three ``sources`` (document and span).
        """
        from clew.explore.look import entity_facts
        from clew.explore.search import describe_facts, search_facts

        limit = self._limit(limit)
        if entity is not None and (text or document is not None):
            raise InputError("The facts of an entity are given without a text or a document: leave those out.")
        if entity is not None:
            found = entity_facts(self, arguments.text(entity, "The id of an entity"), limit=limit)
        else:
            found = search_facts(self, text, document=document)[:limit]
        return describe_facts(self, found)

    def schema(self) -> Json:
        """Labels, relationships and properties in the form of LangChain's ``Neo4jGraph.get_structured_schema``."""
        self.must_exist()
        return graph_schema(self)

    def trajectory(self, id: str) -> Row:
        """A stored trajectory as plain data. Raises NotFoundError if there is none with this id."""
        return load_trajectory(self.database, self.name, arguments.text(id, "The id of a trajectory"))

    def standing(self, id: str) -> list[Standing]:
        """How the citations of a stored trajectory stand now; see ``Standing``. Raises NotFoundError for another id."""
        return standing(self.database, self.name, list(map(read_citation, self.trajectory(id)["citations"])))

    def trajectories(self, limit: int = 100) -> list[Row]:
        """The latest trajectories, newest first, without their steps; see ``find_trajectories``."""
        return self.find_trajectories(limit=limit)[0]

    def find_trajectories(
        self, wanted: TrajectoryFilter | None = None, *, skip: int = 0, limit: int = 20, order: str = "newest"
    ) -> tuple[list[Row], int]:
        """A page of the trajectories that pass a filter, and how many of them there are in all.

        ``order`` is one of ``clew.trajectories.store.ORDERS``. Raises InputError for another one or if ``skip`` or
        ``limit`` is below 0, NotFoundError if the knowledge base does not exist.
        """
        arguments.check_page(skip, limit)
        self.must_exist()
        wanted = wanted or TrajectoryFilter()
        return find_trajectories(self.database, self.name, wanted, skip=skip, limit=limit, order=order)

    def rate(self, id: str, rating: int, comment: str | None = None) -> None:
        """Mark a trajectory as good (1), bad (-1) or neither (0), with a comment; None keeps the one it has.

        Raises InputError for any other rating, NotFoundError if there is no trajectory with this id.
        """
        rate_trajectory(self.database, self.name, id, rating, comment)

    def documents(self, skip: int = 0, limit: int = 1_000_000, text: str = "", order: str = "title") -> list[Row]:
        """The documents whose title, source or metadata hold a text, without their own texts.

        ``order`` is by title, ``newest`` or ``largest`` first. ``metadata`` of each is what its file says of itself:
        author, date, tags, columns of a table. ``at`` is when it came in, None where an older Clew brought it. Raises
        InputError if ``skip`` or ``limit`` is below 0.
        """
        arguments.check_page(skip, limit)
        self.must_exist()
        found = self.database.read(
            "document/list", kb=self.name, skip=skip, limit=limit, text=text.lower(), order=order
        )
        return list(map(_document_row, found))

    def documents_by_id(self, ids: Sequence[str]) -> dict[str, Row]:
        """``source``, ``locator`` and ``metadata`` of documents, by their ids; what is gone is left out."""
        rows = self.database.read("document/by_id", kb=self.name, ids=list(ids))
        return {row["id"]: _document_row(row) for row in rows}

    def told(self, ids: Sequence[str]) -> dict[str, Row]:
        """Deprecated, gone in 0.4: ``documents_by_id``."""
        warnings.warn("told is documents_by_id now", DeprecationWarning, stacklevel=2)
        return self.documents_by_id(ids)

    def document(self, id: str) -> Row:
        """A document with its text and the blocks of that. Raises NotFoundError if there is none with this id."""
        rows = self.database.read("document/get", kb=self.name, id=id)
        if not rows:
            raise self._no_document(id)
        return _document_row(rows[0]) | {"blocks": from_json(rows[0]["blocks"], rows[0]["text"])}

    def delete_documents(self, *ids: str) -> int:
        """Delete documents, and exactly what nothing else supports.

        Trajectories stay until the last document goes. Raises NotFoundError, and deletes nothing, if one of the ids is
        unknown.
        """
        from clew.ingest.originals import forget
        from clew.ingest.remove import remove_documents

        ids = tuple(dict.fromkeys(arguments.text(id, "The id of a document") for id in ids))
        self.must_exist()
        known = {row["id"] for row in self.database.read("ingest/known_documents", kb=self.name, ids=list(ids))}
        if missing := [id for id in ids if id not in known]:
            raise self._no_document(missing[0])
        sources = {row["source"] for row in self.documents_by_id(ids).values()}
        removed = remove_documents(self.database, self.name, ids)
        left = self.database.read("document/of_sources", kb=self.name, sources=list(sources))
        forget(self.settings, self.name, sources - {row["source"] for row in left})
        if self.database.read("kb/is_empty", kb=self.name)[0]["empty"]:
            self.database.write("trajectory/delete_all", kb=self.name)
        return removed

    def delete_known(self, ids: Sequence[str]) -> int:
        """Delete those of these documents that are there; how many they were."""
        known = self.database.read("ingest/known_documents", kb=self.name, ids=list(ids))
        return self.delete_documents(*(row["id"] for row in known)) if known else 0

    def preview_delete(self, *ids: str) -> Removal:
        """What ``delete_documents`` would take along; an id that is unknown counts nothing."""
        from clew.ingest.remove import preview_removal

        self.must_exist()
        ids = tuple(dict.fromkeys(arguments.text(id, "The id of a document") for id in ids))
        return preview_removal(self.database, self.name, ids)

    def delete(self) -> None:
        """Delete the whole knowledge base, or what a restore has left of it. Raises NotFoundError if there is none."""
        from clew.ingest.originals import forget
        from clew.trajectories.corrections import corrections_file

        self.database.write("kb/abandon_restore", kb=self.name)
        self.must_exist()
        # An ingest that is running may write in between; it ends when the knowledge base itself is gone.
        while not self.database.write("kb/delete", kb=self.name)[0]["deleted"] and self.exists():
            for label in NODES:
                while self.database.write("kb/delete_nodes", kb=self.name, label=label, limit=_DELETE_BATCH)[0][
                    "deleted"
                ]:
                    pass
        forget(self.settings, self.name)
        corrections_file(self.settings, self.name).unlink(missing_ok=True)
        self.__dict__.pop("embedder", None)

    def stats(self) -> dict[str, dict[str, int]]:
        """How many ``nodes`` there are by label, and how many ``relationships`` by type."""
        self.must_exist()
        ends = [{"type": type_, "label": label} for type_, label in RELATIONSHIPS.items()]
        nodes = self.database.read("kb/stats_nodes", kb=self.name, labels=list(NODES))
        relationships = self.database.read("kb/stats_relationships", kb=self.name, ends=ends)
        return {
            "nodes": {row["label"]: row["count"] for row in nodes},
            "relationships": {row["type"]: row["count"] for row in relationships},
        }

    def as_retriever(
        self, strategy: str | None = None, k: int | None = None, filter: Filter | None = None
    ) -> ClewRetriever:
        """This knowledge base as a LangChain ``BaseRetriever``; ``filter`` is that of ``retrieve``.

        Raises InputError for an unknown strategy, a ``k`` below 1 or what is no filter.
        """
        from clew.retrieval.filter import conditions
        from clew.retrieval.langchain import ClewRetriever
        from clew.retrieval.registry import check_strategy

        check_strategy(strategy or self.settings.strategy)
        self._k(k)
        conditions(filter)
        return ClewRetriever(knowledge_base=self, strategy=strategy, k=k, filter=filter)

    def as_embeddings(self) -> Embeddings:
        """The encoder of this knowledge base as LangChain's ``Embeddings``."""
        from clew.retrieval.langchain import ClewEmbeddings

        return ClewEmbeddings(self.encoder()[0])

    def _import(
        self,
        items: Iterator[Document | Skipped],
        sentences: bool,
        on_progress: Callable[[Progress], None] | None,
    ) -> IngestReport:
        from clew.extraction.sentences import SentenceExtractor
        from clew.extraction.triples import TripleExtractor

        extractor = TripleExtractor(SentenceExtractor() if sentences else None)
        report = self.ingest_documents(items, extractor=extractor, on_progress=on_progress)
        return replace(report, extraction=extractor.report())

    def _delete_if_empty(self) -> None:
        """Leave nothing of an ingest that failed before it wrote anything; what failed may be the database itself."""
        with suppress(DatabaseError):
            self.database.write("kb/delete", kb=self.name)

    def _k(self, k: int | None) -> int:
        return arguments.whole(self.settings.top_k if k is None else k, "k", least=1)

    def _no_document(self, id: str) -> NotFoundError:
        return NotFoundError(f"There is no document {id!r} in knowledge base {self.name!r}: see `clew document list`.")

    def _limit(self, limit: int) -> int:
        self.must_exist()
        return arguments.whole(limit, "limit", least=1)

    def _agent(
        self,
        policy: str | None,
        strategy: str | None,
        model: str | None,
        k: int | None,
        history: Sequence[tuple[str, str]],
        should_stop: Callable[[], bool] | None,
        filter: Filter | None,
    ) -> dict[str, Any]:
        from clew.agent.policies import create_policy
        from clew.agent.protocol import get_dialect

        chosen = self.strategy(strategy, filter)
        settings = self.settings.model_copy(update={"llm_model": model}) if model else self.settings
        agent = create_policy(policy or settings.policy, settings)
        if hasattr(agent, "tables"):
            agent.tables = self._tables
        return {
            "policy": agent,
            "strategy": chosen,
            "kb": self.name,
            "dialect": get_dialect(self.settings.dialect),
            "k": self._k(k),
            "max_turns": self.settings.max_turns,
            "spans": self._spans,
            "judge": self._judge,
            "history": [arguments.exchange(one) for one in history or ()],
            "should_stop": should_stop,
        }

    def _tables(self, tables: Sequence[tuple[str, int]]) -> list[Passage]:
        """The passages with all rows of tables, each named by its document and number."""
        from clew.retrieval.graph.rows import passage

        wanted = [{"document": document, "number": number} for document, number in tables]
        rows = self.database.read("document/table_passages", tables=wanted, limit=MOST_OF_TABLES)
        return [passage(row, 0.0) for row in rows]

    def _judge(
        self, question: str, answer: str, citations: Sequence[Citation], steps: Sequence[Step]
    ) -> tuple[Verdict, tuple[Support, ...]]:
        """How far an answer is supported; the reader is loaded only where a policy leaves that open."""
        from clew.agent.policies.reader.verdict import judge
        from clew.agent.protocol import get_dialect
        from clew.reader.confidence import load_confidence
        from clew.reader.reader import load_reader

        dialect = get_dialect(self.settings.dialect)
        return judge(question, answer, citations, steps, load_reader(), load_confidence(), dialect)

    def _kept(self, trajectory: Trajectory, filter: Filter | None) -> Trajectory:
        """The trajectory with what its search was kept to; where no document is that, this is why nothing was found."""
        from clew.retrieval.filter import conditions, kept_to

        written = tuple(map(str, conditions(filter)))
        found = trajectory.answered or any(step.facts or step.passages for step in trajectory.steps)
        if written and not found and kept_to(self.database, self.name, filter).documents == ():
            reason = f"No document fulfils {'; '.join(written)}."
            trajectory = replace(trajectory, verdict=replace(trajectory.verdict, reason=reason))
        return replace(trajectory, filter=written)

    def _dated(self, trajectory: Trajectory) -> Trajectory:
        """The trajectory with the version of each document that it cites, and the headings above each place.

        While documents come in, the verdict says that they may change the answer.
        """
        verdict = trajectory.verdict
        if coming := self.database.read("document/unfinished", kb=self.name)[0]["documents"]:
            are = "document is" if coming == 1 else "documents are"
            reason = f"{verdict.reason} {coming:,} {are} still being brought in: ask again when all are there."
            verdict = replace(verdict, reason=reason.strip())
        citations = dated(self.database, self.name, trajectory.citations)
        return replace(trajectory, citations=citations, verdict=verdict)

    def _spans(self, wanted: Sequence[tuple[str, int, int]]) -> list[str]:
        """The texts of spans (document, start, end), in order; empty where the document is gone."""
        spans = [{"document": document, "start": start, "end": end} for document, start, end in wanted]
        found = {row["i"]: row["text"] for row in self.database.read("document/spans", kb=self.name, spans=spans)}
        return [found.get(i, "") for i in range(len(wanted))]


def _has_begun(trajectory: Trajectory) -> bool:
    """Whether there is something to keep: what was stopped before its first turn has nothing to show."""
    return bool(trajectory.steps) or trajectory.stopped != "stopped"


def _document_row(row: Row) -> Row:
    """A document as it is shown, its metadata being JSON in the graph, and missing where it was ingested long ago."""
    return row | {"metadata": json.loads(row["metadata"] or "{}")}
