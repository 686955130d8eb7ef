"""Conversations: questions that followed each other, listed, named and deleted together."""

from __future__ import annotations

from collections.abc import Sequence

from clew.database.connection import Database, Row


def find_conversations(database: Database, kb: str, text: str = "", limit: int = 20) -> list[Row]:
    """``id``, ``title``, number of ``questions`` and id of the ``last`` one of each, the latest first.

    ``text`` is looked for in titles, questions and answers, in any case.
    """
    return database.read("trajectory/conversations", kb=kb, text=text.lower(), limit=limit)


def conversation_of(database: Database, kb: str, id: str) -> str:
    """The conversation that a trajectory belongs to; its own id where it began one, or is not kept."""
    rows = database.read("trajectory/conversation", kb=kb, id=id)
    return str(rows[0]["id"]) if rows else id


def asked_in_conversation(database: Database, kb: str, id: str, questions: Sequence[str]) -> list[str]:
    """The ids of a conversation's trajectories that ask one of these questions, the latest last."""
    return [row["id"] for row in database.read("trajectory/asked", kb=kb, id=id, questions=questions)]


def join_conversation(database: Database, kb: str, id: str, conversation: str) -> None:
    """Let a stored trajectory belong to a conversation."""
    database.write("trajectory/join", kb=kb, id=id, conversation=conversation)


def name_conversation(database: Database, kb: str, id: str, name: str) -> None:
    """Call a conversation something else than its first question."""
    database.write("trajectory/name_conversation", kb=kb, id=id, name=name)


def delete_conversation(database: Database, kb: str, id: str) -> None:
    """Delete all trajectories of a conversation."""
    database.write("trajectory/delete_conversation", kb=kb, id=id)
