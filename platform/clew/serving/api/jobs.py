"""Long work: ingests and evaluations, in processes of their own that outlive this server."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import APIRouter, Form, UploadFile
from pydantic import BaseModel, Field

from clew import runs
from clew.errors import NotFoundError
from clew.evaluation.job import KIND as EVALUATE
from clew.evaluation.job import RUNS, Wanted, start_evaluation
from clew.evaluation.runs import find_run
from clew.runs.ingest import KIND as INGEST
from clew.runs.ingest import Upload
from clew.serving.api.access import Base, Checked, Granted, Shared, check, needs, taken
from clew.serving.api.service import Service
from clew.serving.api.shapes import Limit, PolicyName, StrategyName
from clew.serving.tokens import Grant
from clew.types import Json

router = APIRouter(prefix="/api", tags=["jobs"], dependencies=[needs("read")], route_class=Checked)

JobId = Annotated[str, Field(pattern=r"^\d{8}-\d{6}-[a-z]+-[0-9a-f]{6}$")]
_HIDDEN = {"source", "file", "settled"}
"""What of an item is nobody's business: an address may hold a password."""


class JobView(BaseModel):
    """A job as it stands: ``progress`` is what the work reported last, of an ingest with every file in ``items``."""

    id: str
    kind: str
    kb: str
    state: runs.State
    cancelling: bool
    error: str
    seconds: float
    progress: Json


def view(job: runs.Job) -> JobView:
    """What may be shown of a job."""
    progress = job.progress
    if items := progress.get("items"):
        shown = [{name: value for name, value in item.items() if name not in _HIDDEN} for item in items]
        progress = progress | {"items": shown}
    return JobView(
        id=job.name,
        kind=job.kind,
        kb=str(job.about.get("kb", "")),
        state=job.state,
        cancelling=job.cancelling,
        error=job.error,
        seconds=job.seconds,
        progress=progress,
    )


@router.get("/jobs")
def jobs(
    service: Shared, grant: Granted, kind: Literal["", "ingest", "evaluate"] = "", limit: Limit = 50
) -> list[JobView]:
    """The jobs on knowledge bases that may be read, the latest first."""
    found = (job for job in runs.jobs(service.settings, kind) if job.kind in (INGEST, EVALUATE))
    mine = [job for job in found if grant.allows(str(job.about.get("kb", "")), "read")]
    return [view(job) for job in mine[:limit]]


@router.get("/jobs/{id}")
def job(service: Shared, grant: Granted, id: JobId) -> JobView:
    """A job as it stands."""
    return view(_find(service, grant, id, "read"))


@router.post("/jobs/{id}/cancel", status_code=202)
def cancel(service: Shared, grant: Granted, id: JobId) -> JobView:
    """Ask a job to stop; what it has written stays."""
    found = _find(service, grant, id, "write")
    found.cancel()
    return view(found)


@router.post("/jobs/{id}/resume", status_code=202)
def resume(service: Shared, grant: Granted, id: JobId) -> JobView:
    """Go on with a job that failed, or was cancelled or interrupted."""
    found = _find(service, grant, id, "write")
    found.resume()
    return view(found)


@router.delete("/jobs/{id}", status_code=204)
def delete(service: Shared, grant: Granted, id: JobId) -> None:
    """Forget a job that has ended; what it has done stays."""
    _find(service, grant, id, "write").delete()


@router.get("/jobs/{id}/result")
def result(service: Shared, grant: Granted, id: JobId) -> Json:
    """The figures of an evaluation that has ended."""
    found = _find(service, grant, id, "read")
    name = found.progress.get("run")
    summary = find_run(service.settings.home / RUNS, str(name)).summary() if name else None
    if summary is None:
        raise NotFoundError(f"Job {id!r} has no figures (yet): it is {found.state}.")
    return summary


@router.post("/knowledge-bases/{kb}/evaluations", status_code=202, dependencies=[needs("write")])
def evaluate(
    base: Base,
    service: Shared,
    questions: UploadFile,
    measure: Annotated[Literal["answers", "retrieval"], Form()] = "answers",
    strategy: Annotated[StrategyName | None, Form()] = None,
    policy: Annotated[PolicyName, Form()] = "auto",
    limit: Annotated[int, Form(ge=0, le=100_000)] = 0,
) -> JobView:
    """Measure answers or retrieval on a file of questions: JSON lines of ``id``, ``question`` and ``answers``."""
    wanted = Wanted(measure, [strategy or service.settings.strategy], limit=limit, policies=[policy])
    upload = Upload(questions.filename or "questions.jsonl", taken(questions, service))
    return view(start_evaluation(service.settings, base.name, upload, wanted))


def _find(service: Service, grant: Grant, id: str, right: str) -> runs.Job:
    found = runs.find(service.settings, id)
    if found.kind not in (INGEST, EVALUATE):
        raise NotFoundError(f"There is no job {id!r}.")
    check(grant, str(found.about.get("kb", "")), right)
    return found
