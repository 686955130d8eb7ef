"""Documents: uploads and addresses as jobs, what is there, replacing and deleting."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any, Literal

from fastapi import APIRouter, File, Form, UploadFile
from pydantic import BaseModel, Field

from clew.errors import InputError
from clew.ingest.fetch import is_address
from clew.runs.ingest import Upload, start_ingest
from clew.serving.api.access import Base, NewBase, Shared, needs
from clew.serving.api.jobs import JobView, view
from clew.serving.api.service import Service
from clew.serving.api.shapes import Body, Id, Limit, Skip, Text
from clew.types import Block, Json, Skipped

router = APIRouter(prefix="/api/knowledge-bases/{kb}", tags=["documents"], dependencies=[needs("read")])

MOST_ADDRESSES = 200

Extractor = Literal["sentences", "llm", "hybrid"]
Budget = Annotated[Text, Field(max_length=20, description="Of a model that extracts: 200k tokens, $2.50 or 25%.")]


class DocumentRow(BaseModel):
    """A document as a list shows it; ``status`` is empty unless something of it is still to come."""

    id: str
    title: str
    source: str
    media_type: str | None
    characters: int
    chunks: int
    status: str | None
    metadata: Json


class DocumentText(BaseModel):
    """A document with its text, in whose characters every offset counts; ``blocks`` tell what it is made of."""

    id: str
    title: str
    source: str
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
) -> JobView:
    """Bring files in; one with the name of an earlier upload replaces it. The job says what came of each."""
    taken: dict[str, UploadFile] = {}
    rejected = []
    most = service.settings.max_file_mb * 1e6
    for file in files:
        name = file.filename or "upload"
        if (file.size or 0) > most:
            rejected.append(Skipped(name, f"It is larger than {service.settings.max_file_mb:g} MB (CLEW_MAX_FILE_MB)."))
        elif name in taken:
            rejected.append(Skipped(name, "Another file of this upload has the same name."))
        else:
            taken[name] = file

    def uploads() -> Iterator[Upload]:
        for name, file in taken.items():
            yield Upload(name, file.file.read())

    return _start(service, base.name, uploads(), extractor=extractor, budget=budget, rejected=rejected)


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
    upload = Upload(file.filename or known["title"], file.file.read(), known["source"])
    return _start(service, base.name, [upload])


@router.delete("/documents/{id}", dependencies=[needs("write")])
def delete(base: Base, id: Id) -> Removed:
    """Delete a document, and exactly what nothing else supports."""
    return Removed(documents=base.delete_documents(id))


def _start(service: Service, *given: Any, **options: Any) -> JobView:
    return view(start_ingest(service.settings, *given, allow_private=False, **options))
