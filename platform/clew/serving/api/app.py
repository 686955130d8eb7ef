"""The application that ``clew serve`` runs, put together."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from importlib.metadata import version
from importlib.util import find_spec

from fastapi import Depends, FastAPI, HTTPException, Response

from clew.knowledge_base import connect
from clew.serving.api import bases, chat, documents, graph, jobs, questions, rollouts, trajectories
from clew.serving.api.access import Shared, needs, once
from clew.serving.api.errors import RESPONSES, answer_errors
from clew.serving.api.guard import Guard, log_to_stderr
from clew.serving.api.metrics import exposed
from clew.serving.api.service import Service
from clew.settings import Settings, load_settings
from clew.tracing import export


def from_settings() -> FastAPI:
    """The application with the settings of the environment and its log on standard error: what a worker runs."""
    log_to_stderr()
    export()
    return create_app(load_settings())


def create_app(settings: Settings) -> FastAPI:
    """The application; it connects to Neo4j when it starts."""

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        async with AsyncExitStack() as stack:
            service = Service(settings, await asyncio.to_thread(connect, settings))
            stack.callback(service.close)
            asyncio.get_running_loop().set_default_executor(service.pool)
            app.state.service = service
            if protocol is not None:
                await stack.enter_async_context(protocol.session_manager.run())
            await service.warm()
            yield

    app = FastAPI(
        title="Clew",
        version=version("clew-graph"),
        description="Documents in, cited answers out. Every error has the same shape; see `Refused`.",
        docs_url=None,  # those pages load their scripts from elsewhere
        redoc_url=None,
        lifespan=lifespan,
        responses=RESPONSES,
        dependencies=[Depends(once)],
    )
    app.add_middleware(Guard)
    answer_errors(app)
    for part in (bases, documents, questions, graph, trajectories, jobs, chat, rollouts):
        app.include_router(part.router)

    @app.get("/health", tags=["operation"])
    async def health() -> dict[str, str]:
        """Whether the server is up, whatever Neo4j does. Needs no token."""
        return {"status": "ok"}

    @app.get("/ready", tags=["operation"])
    async def ready(service: Shared) -> dict[str, str]:
        """Whether it can serve: whether Neo4j answers within a second. Needs no token."""
        if service.pulse.late:
            raise HTTPException(503, "Neo4j does not answer.", {"Retry-After": "2"})
        return {"status": "ready"}

    @app.get("/metrics", tags=["operation"], dependencies=[needs("read")], response_class=Response)
    async def metrics() -> Response:
        """Counters and latencies for Prometheus."""
        return Response(exposed(), media_type="text/plain; version=1.0.0; charset=utf-8")

    protocol = None
    if find_spec("mcp"):
        from clew.serving.api.protocol import add_protocol

        protocol = add_protocol(app, allow_write=settings.serve_mcp_write)
    return app
