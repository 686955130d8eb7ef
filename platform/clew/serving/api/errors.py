"""Errors as answers: one shape for all of them, that of OpenAI's API, which its clients can read."""

from __future__ import annotations

from http.client import responses
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from pydantic import BaseModel
from starlette.exceptions import HTTPException

from clew.errors import ClewError, InputError, ModelError, NotFoundError, SettingsError, faults
from clew.files import without_folders

STATUS: dict[type[ClewError], int] = {InputError: 422, NotFoundError: 404, SettingsError: 409, ModelError: 502}
"""The status of each kind of error; all others, such as a database that cannot be reached, are 503."""
KINDS = {
    400: "bad_request",
    401: "unauthorized",
    403: "forbidden",
    404: "not_found",
    405: "method_not_allowed",
    408: "timeout",
    409: "conflict",
    413: "too_large",
    422: "invalid_request",
    429: "rate_limited",
    500: "internal",
    502: "model",
    503: "unavailable",
}
_REFUSED = {"$ref": "#/components/schemas/Refused"}


class Problem(BaseModel):
    """What is wrong, in one line that says what to do; ``type`` is the status in a word."""

    message: str
    type: str
    param: str | None = None
    code: str | None = None


class Refused(BaseModel):
    """The body of every answer that is an error."""

    error: Problem


RESPONSES: dict[int | str, dict[str, Any]] = {
    status: {"model": Refused, "description": kind.replace("_", " ").capitalize()}
    for status, kind in KINDS.items()
    if status not in (405, 500)
}
STREAM_RESPONSES: dict[int | str, dict[str, Any]] = {
    status: {"description": meaning["description"], "content": {"application/json": {"schema": _REFUSED}}}
    for status, meaning in RESPONSES.items()
}
"""Those of a route whose own answers are a stream."""


def refusal(status: int, message: str, headers: dict[str, str] | None = None) -> JSONResponse:
    """An error as an answer."""
    if status not in (404, 405):  # those name routes, which look like folders
        message = without_folders(message)
    body = Refused(error=Problem(message=message, type=KINDS.get(status, "error"))).model_dump()
    return JSONResponse(body, status, headers)


def status_of(error: ClewError) -> int:
    """The status of an error of Clew's."""
    return next((status for kind, status in STATUS.items() if isinstance(error, kind)), 503)


def answer_errors(app: FastAPI) -> None:
    """Let the app answer every foreseen error in this shape."""

    @app.exception_handler(ClewError)
    async def clew(request: Request, error: ClewError) -> JSONResponse:
        status = status_of(error)
        return refusal(status, str(error), {"Retry-After": "5"} if status == 503 else None)

    @app.exception_handler(HTTPException)
    async def http(request: Request, error: HTTPException) -> JSONResponse:
        detail = str(error.detail)
        if detail == responses.get(error.status_code):  # the framework's own words, which name nothing
            detail = f"{detail}: {request.method} {request.url.path[:200]}; /openapi.json lists what there is."
        return refusal(error.status_code, detail, dict(error.headers or {}))

    @app.exception_handler(RequestValidationError)
    async def invalid(request: Request, error: RequestValidationError) -> JSONResponse:
        return refusal(422, faults(error.errors()))
