"""Who may use a route: dependencies that routes declare, and what routes take of a request."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Coroutine
from typing import Annotated, Any

from fastapi import Depends, HTTPException, Path, Request, Response, Security, UploadFile
from fastapi.routing import APIRoute
from fastapi.security import HTTPBearer

from clew.errors import InputError
from clew.knowledge_base import KnowledgeBase
from clew.serving.api.service import Service
from clew.serving.tokens import Grant
from clew.settings import Settings

_BEARER = HTTPBearer(auto_error=False, description="A token of `clew token create`.")
REPEATED = frozenset({"filter"})
"""Parameters of addresses that are lists."""
KB_NAME = r"^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$"


def service(request: Request) -> Service:
    """What all requests share."""
    found: Service = request.app.state.service
    return found


def grant(request: Request) -> Grant:
    """What whoever asks may do."""
    found: Grant = request.state.grant
    return found


def check(grant: Grant, kb: str | None, right: str) -> None:
    """Answer 403 where the right is missing; a knowledge base that may not be read is not mentioned."""
    if not grant.allows(kb, "read" if kb else right):
        what = f"the knowledge base {kb!r}" if kb else "this server"
        raise HTTPException(403, f"This token gives no access to {what}: see `clew token list`.")
    if not grant.allows(kb, right):
        raise HTTPException(403, f"This token may not do that: it takes the right {right!r}.")


def once(request: Request) -> None:
    """Refuse a parameter that is given several times where a route takes one value: who sent which is not known."""
    given = Counter(name for name, _ in request.query_params.multi_items())
    for name, count in given.items():
        if count > 1 and name not in REPEATED:
            raise InputError(f"The parameter {name!r} is given {count} times: give it once.")


class Checked(APIRoute):
    """A route whose rights are checked before its body is read."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """What answers a request."""
        handler = super().get_route_handler()
        rights = [right for one in self.dependencies if (right := getattr(one.dependency, "right", ""))]

        async def checked(request: Request) -> Response:
            for right in rights:
                check(grant(request), request.path_params.get("kb"), right)
            return await handler(request)

        return checked


def needs(right: str) -> Any:
    """A dependency: the right that a route takes, on the knowledge base in its path where there is one."""

    def checked(request: Request, _: Annotated[object, Security(_BEARER)]) -> None:
        check(grant(request), request.path_params.get("kb"), right)

    checked.right = right  # type: ignore[attr-defined]
    return Depends(checked)


def caller(request: Request) -> str:
    """Whose turn it is where callers take turns: a token's, or without one a connection's."""
    return grant(request).name or f"{request.client}"


def taken(file: UploadFile, service: Service) -> bytes:
    """The content of a file that came in. Answers 413 where it is larger than the settings allow."""
    if (file.size or 0) > service.settings.max_file_mb * 1e6:
        raise HTTPException(413, f"{(file.filename or 'The file')[:80]!r} {too_large(service.settings)}")
    return file.file.read()


def too_large(settings: Settings) -> str:
    """Why a file is not taken, after its name."""
    return f"is larger than {settings.max_file_mb:g} MB (CLEW_MAX_FILE_MB)."


def existing(
    kb: Annotated[str, Path(pattern=KB_NAME, description="Name of a knowledge base.")], request: Request
) -> KnowledgeBase:
    """The knowledge base in the path. Raises NotFoundError where there is none of this name."""
    base = service(request).base(kb)
    base.must_exist()
    return base


def any_base(
    kb: Annotated[str, Path(pattern=KB_NAME, description="Name of a knowledge base.")], request: Request
) -> KnowledgeBase:
    """The knowledge base in the path, which comes into being with the first ingest."""
    return service(request).base(kb)


Shared = Annotated[Service, Depends(service)]
Granted = Annotated[Grant, Depends(grant)]
Caller = Annotated[str, Depends(caller)]
Base = Annotated[KnowledgeBase, Depends(existing)]
NewBase = Annotated[KnowledgeBase, Depends(any_base)]
