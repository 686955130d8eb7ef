"""What tells one version of the code that is measured from another, so that a run never mixes two."""

from __future__ import annotations

import ast
import hashlib
from collections.abc import Iterator
from pathlib import Path

import clew

ROOTS = ("evaluation/answers.py", "evaluation/retrieval.py", "agent/policies/*/*.py", "retrieval/strategies/*.py")
"""What is measured and what measures it; the rest follows from what these import."""
NOT_FOLLOWED = ("knowledge_base.py", "tracing.py")
"""The facade, beneath which lies what was measured before (documents, an ingest) and what only looks on."""
_CODE = Path(clew.__file__).parent
_DATA = (".toml", ".bin", ".json")


def code_digest() -> str:
    """A digest of the measured files, whatever their order."""
    digest = hashlib.sha256()
    for file in sorted(measured_files()):
        content = file.read_bytes()
        digest.update(f"{file.relative_to(_CODE)} {len(content)}\n".encode() + content)
    return digest.hexdigest()


def measured_files() -> set[Path]:
    """The modules that ``ROOTS`` import, by way of others, too; the statements these name, and the data beside them."""
    todo = [file for root in ROOTS for file in _CODE.glob(root)]
    found: set[Path] = set()
    while todo:
        file = todo.pop()
        if file not in found and file.relative_to(_CODE).as_posix() not in NOT_FOLLOWED:
            found.add(file)
            if file.suffix == ".py":
                todo += _needed(ast.parse(file.read_bytes()))
    beside = {file for folder in {one.parent for one in found} for file in folder.glob("**/*") if file.suffix in _DATA}
    return found | {file for file in beside if file.parent.parent != _CODE / "ui"}


def _needed(tree: ast.AST) -> Iterator[Path]:
    """The files that a module imports, in a function, too, and those of the statements that its texts name."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.split(".")[0] == "clew":
            yield from _modules(node.module)
            for name in node.names:
                yield from _modules(f"{node.module}.{name.name}")
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value.count("/") == 1:
            statement = _CODE / "cypher" / f"{node.value}.cypher"
            if node.value.replace("/", "").replace("_", "").isalnum() and statement.is_file():
                yield statement


def _modules(name: str) -> Iterator[Path]:
    """The file of a module, if it is one."""
    place = _CODE.joinpath(*name.split(".")[1:])
    yield from (file for file in (place.with_suffix(".py"), place / "__init__.py") if file.is_file() and place != _CODE)
