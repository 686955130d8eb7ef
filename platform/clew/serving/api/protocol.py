"""MCP within ``clew serve``, at ``/mcp``: the same tools, each with the right that its caller's token gives."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fastapi import FastAPI
from mcp.server.mcpserver import MCPServer
from mcp.server.transport_security import TransportSecuritySettings

from clew.errors import InputError
from clew.knowledge_base import KnowledgeBase, list_knowledge_bases
from clew.serving.mcp import make_server
from clew.serving.tokens import Grant
from clew.types import Json

if TYPE_CHECKING:
    from clew.serving.api.service import Service

PATH = "/mcp"


def add_protocol(app: FastAPI, *, allow_write: bool) -> MCPServer[Any]:
    """Add the route to the app. The server's ``session_manager`` must run as long as the app does."""

    def open_(name: str, right: str, context: Any) -> KnowledgeBase:
        service: Service = app.state.service
        name = name or service.settings.kb
        if not _grant(context).allows(name, right):
            raise InputError(f"This token gives no right to {right} the knowledge base {name!r}.")
        return service.base(name)

    def names(context: Any) -> list[Json]:
        rows = list_knowledge_bases(app.state.service.database)
        return [row for row in rows if _grant(context).allows(row["name"], "read")]

    server = make_server(open_, names, allow_write=allow_write)
    # The guard has looked at Host, Origin and token already. Without sessions, any worker can take any request.
    open_to_guard = TransportSecuritySettings(enable_dns_rebinding_protection=False)
    part = server.streamable_http_app(
        streamable_http_path=PATH, stateless_http=True, json_response=True, transport_security=open_to_guard
    )
    app.router.routes.extend(part.routes)
    return server


def _grant(context: Any) -> Grant:
    found: Grant = context.request_context.request.state.grant
    return found
