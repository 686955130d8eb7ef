"""Documents: uploads and addresses as jobs, what is there, replacing and deleting."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import chain, count
from pathlib import Path, PurePosixPath
from typing import Annotated, Any, Literal

from fastapi import APIRouter, File, Form, HTTPException, Query, UploadFile
from pydantic import AfterValidator, BaseModel, Field

from clew import runs
from clew.errors import InputError
from clew.ingest.fetch import is_address
from clew.ingest.load import storable
from clew.knowledge_base import KnowledgeBase
from clew.runs.ingest import KIND as INGEST
from clew.runs.ingest import Upload, items_of, start_ingest
from clew.serving.api.access import Base, Checked, NewBase, Shared, needs, taken, too_large
from clew.serving.api.jobs import JobView, view
from clew.serving.api.service import Service
from clew.serving.api.shapes import Body, Id, Limit, Skip, Text
from clew.types import Block, Json, Skipped

router = APIRouter(
    prefix="/api/knowledge-bases/{kb}", tags=["documents"], dependencies=[needs("read")], route_class=Checked
)

MOST_ADDRESSES = 200

UNNAMED = "upload"
REPLACES = (
    "It takes the place of an earlier upload of this name: on_same_name=keep brings it in beside, refuse asks first."
)
OnSameName = Annotated[
    Literal["replace", "keep", "refuse"],
    Query(description="What becomes of a file whose name an earlier upload has; keep numbers it: `readme (2).md`."),
]

Extractor = Literal["sentences", "llm", "hybrid"]
Budget = Annotated[Text, Field(max_length=20, description="Of a model that extracts: 200k tokens, $2.50 or 25%.")]


Source = Annotated[
    str,
    AfterValidator(lambda source: Path(source).name if Path(source).is_absolute() else source),
    Field(description="An address, `upload:NAME`, or the name of a file on the server, without its folders."),
]


class DocumentRow(BaseModel):
    """A document as a list shows it; ``status`` is empty unless something of it is still to come."""

    id: str
    title: str
    source: Source
    media_type: str | None
    characters: int
    chunks: int
    status: str | None
    metadata: Json


class DocumentText(BaseModel):
    """A document with its text, in whose characters every offset counts; ``blocks`` tell what it is made of."""

    id: str
    title: str
    source: Source
    media_type: str | None
    sha256: str
    text: str
    pages: list[int] | None
    blocks: list[Block]
    chunks: int
    hyperedges: int
    status: str | None
    metadata: Json


class Addresses(Body):
    """Pages to bring in. Addresses within private networks are refused."""

    addresses: Annotated[
        list[Annotated[Text, Field(max_length=2000, pattern=r"^https?://\S+$")]],
        Field(min_length=1, max_length=MOST_ADDRESSES),
    ]
    extractor: Extractor = "sentences"
    budget: Budget = ""


class Removed(BaseModel):
    """How many documents were deleted."""

    documents: int


@router.get("/documents")
def documents(base: Base, skip: Skip = 0, limit: Limit = 100) -> list[DocumentRow]:
    """The documents by title, without their texts."""
    return [DocumentRow(**row) for row in base.documents(skip, limit)]


@router.post("/documents", status_code=202, dependencies=[needs("write")])
def upload(
    base: NewBase,
    service: Shared,
    files: Annotated[list[UploadFile], File(description="The files to bring in.")],
    extractor: Annotated[Extractor, Form()] = "sentences",
    budget: Annotated[Budget, Form()] = "",
    on_same_name: OnSameName = "replace",
) -> JobView:
    """Bring files in. The job says what came of each, and with a warning which replaces an earlier upload.

    A file goes by its name as it is sent, with the folders in it: files of one name in two folders differ where
    the client sends ``a/readme.md`` and ``b/readme.md``.
    """
    earlier = _uploaded(base, service, [file.filename or UNNAMED for file in files])
    if earlier and on_same_name == "refuse":
        named = ", ".join(repr(name[:80]) for name in sorted(earlier)[:5])
        raise HTTPException(409, f"There are earlier uploads named {named}: choose on_same_name=replace or keep.")
    chosen: dict[str, UploadFile] = {}
    rejected = []

    def used(name: str) -> bool:
        return name in chosen or bool(_uploaded(base, service, [name]))

    for file in files:
        name = file.filename or UNNAMED
        if (file.size or 0) > service.settings.max_file_mb * 1e6:
            rejected.append(Skipped(name, f"It {too_large(service.settings)}"))
        elif name in chosen and on_same_name != "keep":
            rejected.append(Skipped(name, "Another file of this upload has the same name."))
        else:
            chosen[_free(name, used) if on_same_name == "keep" else name] = file
    if rejected and not chosen:
        raise HTTPException(413, f"{rejected[0].source[:80]!r}: {rejected[0].reason}")

    def uploads() -> Iterator[Upload]:
        for name, file in chosen.items():
            warnings = (REPLACES,) if name in earlier else ()
            yield Upload(name, file.file.read(), warnings=warnings)

    return _start(service, base.name, uploads(), extractor=extractor, budget=budget, rejected=rejected)


def _uploaded(base: KnowledgeBase, service: Service, names: list[str]) -> set[str]:
    """Those of the names that earlier uploads have, also such as are still waiting to be brought in."""
    sources = {f"upload:{storable(name)}": name for name in names}
    rows = base.database.read("document/of_sources", kb=base.name, sources=list(sources))
    running = [job for job in runs.jobs(service.settings, INGEST) if job.about.get("kb") == base.name and job.running]
    coming = {item.name for job in running for item in items_of(job) if item.file and not item.source}
    return {sources[row["source"]] for row in rows} | (coming & set(names))


def _free(name: str, used: Callable[[str], bool]) -> str:
    """The name, numbered where it is taken: ``readme (2).md``."""
    path = PurePosixPath(name)
    numbered = (name.removesuffix(path.name) + f"{path.stem} ({number}){path.suffix}" for number in count(2))
    return next(one for one in chain([name], numbered) if not used(one))


@router.post("/addresses", status_code=202, dependencies=[needs("write")])
def fetch(base: NewBase, service: Shared, body: Addresses) -> JobView:
    """Bring in pages from the web, by their addresses."""
    if bad := [one for one in body.addresses if not is_address(one)]:
        raise InputError(f"{bad[0][:80]!r} is no http or https address.")
    return _start(service, base.name, (), body.addresses, extractor=body.extractor, budget=body.budget)


@router.get("/documents/{id}")
def document(base: Base, id: Id) -> DocumentText:
    """A document with its text."""
    return DocumentText(**base.document(id))


@router.put("/documents/{id}", status_code=202, dependencies=[needs("write")])
def replace(base: Base, service: Shared, id: Id, file: UploadFile) -> JobView:
    """Put a file in the place of a document, which keeps its id. It stays as it is where the file cannot be read."""
    known = base.document(id)
    if known["locator"]:
        raise InputError("It is one row of a file: upload the whole file again, under the same name.")
    upload = Upload(file.filename or known["title"], taken(file, service), known["source"])
    return _start(service, base.name, [upload])


@router.delete("/documents/{id}", dependencies=[needs("write")])
def delete(base: Base, id: Id) -> Removed:
    """Delete a document, and exactly what nothing else supports."""
    return Removed(documents=base.delete_documents(id))


def _start(service: Service, *given: Any, **options: Any) -> JobView:
    return view(start_ingest(service.settings, *given, allow_private=False, **options))
