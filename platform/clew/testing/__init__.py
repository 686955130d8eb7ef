"""Clew without a paid model: a real HTTP server that speaks the OpenAI chat protocol and follows a script.

    with ModelServer(agent()) as server:
        settings = load_settings(policy="llm", llm_model=server.model, llm_base_url=server.base_url)

``python -m clew.testing --port 8399`` runs one by itself. A ``mode`` makes it differ as other models and servers do.
"""

from clew.testing.extraction import extractor
from clew.testing.modes import MODES, Mode
from clew.testing.scripts import Script, agent, echo, scripted
from clew.testing.server import Fault, ModelServer, at_rate, schedule

__all__ = [
    "MODES",
    "Fault",
    "Mode",
    "ModelServer",
    "Script",
    "agent",
    "at_rate",
    "echo",
    "extractor",
    "schedule",
    "scripted",
]
