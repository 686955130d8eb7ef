"""Another name for a knowledge base: everything is written anew, because ids are hashes of the name too."""

from __future__ import annotations

import tempfile
from pathlib import Path

from clew.errors import InputError
from clew.ingest.originals import move
from clew.knowledge_base import KnowledgeBase, check_name
from clew.llm.connections import move_connection
from clew.operations.backup import backup
from clew.operations.restore import restore
from clew.trajectories.corrections import move_corrections


def rename(base: KnowledgeBase, name: str) -> KnowledgeBase:
    """The knowledge base under its new name; the old one is deleted once the new one is whole.

    Raises InputError for a name that is none or is taken, NotFoundError where the base does not exist.
    """
    renamed = KnowledgeBase(check_name(name), base.database, base.settings)
    base.must_exist()
    if renamed.exists():
        raise InputError(f"There is a knowledge base {name!r} already: take another name.")
    with tempfile.TemporaryDirectory(prefix="clew-rename-") as folder:
        file = Path(folder) / "base.clew"
        backup(base.database, file, [base.name])
        restore(base.database, file, into=name)
    move(base.settings, base.name, name)
    move_connection(base.settings, base.name, name)
    move_corrections(base.settings, base.name, name)
    base.delete()
    return renamed
