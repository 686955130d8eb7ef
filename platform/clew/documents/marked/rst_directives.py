"""Directives of Sphinx and others, which docutils would drop.

What such a directive holds is text like any other; what it is about stands before it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

_SILENT = frozenset({"toctree", "index", "only", "currentmodule", "highlight", "tabularcolumns", "hlist", "ifconfig"})
"""Directives whose argument says how a page is put together; what they hold is read."""
_LISTS = frozenset({"toctree", "index", "autosummary"})
"""Those that hold names of other pages."""
_VERSIONS = {
    "versionadded": "Added in version",
    "versionchanged": "Changed in version",
    "versionremoved": "Removed in version",
    "deprecated": "Deprecated since version",
}


class _Options(dict[str, Callable[[str | None], Any]]):
    """The options of a directive, and any other one as it is written: an unknown one would cost the whole directive."""

    def __missing__(self, name: str) -> Callable[[str | None], Any]:
        return _unchanged

    def __bool__(self) -> bool:
        return True


def _unchanged(argument: str | None) -> str:
    return argument or ""


def know_directives(names: set[str]) -> None:
    """Let docutils read these directives, unknown ones as their text."""
    from docutils.parsers.rst import directives
    from docutils.parsers.rst.languages import en
    from docutils.utils import new_document

    for name in names:
        known = name in directives._directives or name in en.directives
        found: Any = directives.directive(name, en, new_document(""))[0] if known else None
        if found is None:
            directives.register_directive(name, _of_another_program())
        elif hasattr(found, "option_spec"):
            found.option_spec = _Options(found.option_spec or {})


def _of_another_program() -> type[Any]:
    from docutils import nodes
    from docutils.parsers.rst import Directive

    class Text(Directive):  # type: ignore[misc]
        """A directive read as its text."""

        optional_arguments = 1
        final_argument_whitespace = True
        has_content = True
        option_spec = _Options()

        def run(self) -> list[nodes.Node]:
            """What it is about, and what it holds."""
            if self.name in _LISTS:
                return []
            held = nodes.Element()
            self.state.nested_parse(self.content, self.content_offset, held)
            argument = "" if self.name in _SILENT else " ".join(" ".join(self.arguments).split())
            if self.name in _VERSIONS:
                argument = f"{_VERSIONS[self.name]} {argument}"
            about = nodes.paragraph("", "", *self.state.inline_text(argument, self.lineno)[0])
            return [*([about] if argument else []), *held.children]

    return Text


def keeping_reader() -> Any:
    """A docutils reader that keeps and counts what it refuses."""
    from docutils import nodes
    from docutils.readers import standalone
    from docutils.transforms import Transform

    class Reader(standalone.Reader):  # type: ignore[misc]
        """The reader of a file of its own."""

        kept = 0

        def get_transforms(self) -> list[type[Transform]]:
            """All of docutils', and what keeps the text of messages."""
            return [*super().get_transforms(), Keep]

    reader = Reader()

    class Keep(Transform):  # type: ignore[misc]
        """Puts what a message quotes in the place of the message."""

        default_priority = 860  # messages are taken out at 870

        def apply(self) -> None:
            """Do so in the whole document."""
            for message in list(self.document.findall(nodes.system_message)):
                quoted = next(iter(message.findall(nodes.literal_block)), None)
                if quoted is not None and message.parent is not None:
                    message.replace_self(quoted)
                    reader.kept += 1

    return reader
