"""The fields at the top of a text, in YAML or TOML: values, lists, and the names of what is nested.

They are read here in place of YAML's own parsers, which follow references that can grow without bound, and refuse what
people write: "title: Welcome, to: the quay".
"""

from __future__ import annotations

import re

from clew.ingest.formats.markdown_marks import without_links
from clew.text.normalise import normalise, one_line

_FIELD = re.compile(r"([A-Za-z][\w .-]{0,60}?)[ \t]*[:=][ \t]*(.*)")
_NAMED = re.compile(r"name[ \t]*[:=][ \t]*(.+)", re.IGNORECASE)
_KEY = re.compile(r"[A-Za-z][\w-]{0,60}[ \t]*:(?:[ \t]|$)")
_PART = re.compile(r"\s*\"[^\"]*\"\s*|\s*'[^']*'\s*|[^,]+")
_LONG = re.compile(r"[|>][+-]?\d?")
_MOST_FIELDS = 100
_MOST_LINES = 100
_LONGEST = 1000


def front_matter(written: str) -> dict[str, object]:
    """The fields by their names: plain values, and lists of them; of what is nested, the name ("- name: Ida Berg")."""
    fields = _Fields()
    for line in _whole(written.splitlines()):
        fields.add(line)
    return {name: value for name, value in fields.found.items() if value not in ("", [])}


def _whole(lines: list[str]) -> list[str]:
    """The same lines, a list in brackets that goes over several in one."""
    whole: list[str] = []
    begun = 0
    for line in lines:
        if begun:
            whole[-1] += f" {line.strip()}"
            begun = 0 if line.rstrip().endswith("]") or begun > _MOST_LINES else begun + 1
            continue
        whole.append(line)
        match = _FIELD.fullmatch(line.rstrip())
        value = match[2].strip() if match else ""
        begun = int(value.startswith("[") and "]" not in value)
    return whole


class _Fields:
    """The fields that were found, and the one that the next lines go on with."""

    def __init__(self) -> None:
        self.found: dict[str, object] = {}
        self._key = ""
        self._is_text = self._is_nested = False

    def add(self, line: str) -> None:
        """Go on with the next line."""
        entry = line.strip()
        if match := _FIELD.fullmatch(line.rstrip()):
            self._key = match[1].strip().lower()
            written = match[2].strip()
            self._is_text = bool(_LONG.fullmatch(written))
            self._is_nested = not written
            if len(self.found) < _MOST_FIELDS:
                self.found[self._key] = "" if self._is_text else _value(written)
        elif not self._key or not entry:
            return
        elif entry.startswith("- ") and not self._is_text and self.found.get(self._key, "") in ("", *self._lists()):
            self._item(entry[2:].strip())
        elif line[:1].isspace():
            self._within(entry)
        else:
            self._key = ""

    def _lists(self) -> list[object]:
        value = self.found.get(self._key)
        return [value] if isinstance(value, list) else []

    def _item(self, written: str) -> None:
        named = _NAMED.fullmatch(written)
        if named or not _KEY.match(written):
            items = self._lists()
            before = items[0] if items and isinstance(items[0], list) else []
            self.found[self._key] = [*before, _plain(named[1] if named else written)][:_MOST_FIELDS]
        elif not self.found.get(self._key):
            self.found[self._key] = []  # of what is nested, the name may follow

    def _within(self, entry: str) -> None:
        """A line below a field: more of its text, or what is nested in it."""
        value = self.found.get(self._key)
        named = _NAMED.fullmatch(entry)
        if self._is_text or (isinstance(value, str) and value and not self._is_nested):
            self.found[self._key] = one_line(f"{value} {_plain(entry)}", _LONGEST)
        elif named and isinstance(value, list):
            self.found[self._key] = [*value, _plain(named[1])][:_MOST_FIELDS]
        elif named and not value:
            self.found[self._key] = _plain(named[1])


def _value(written: str) -> object:
    if written.startswith("[") and written.endswith("]") and not written.startswith("[["):
        return [plain for part in _PART.findall(written[1:-1]) if (plain := _plain(part))][:_MOST_FIELDS]
    return "" if written in {"~", "null"} or written.startswith(("&", "*", "{")) else _plain(written)


def _plain(written: str) -> str:
    entry = written.strip()
    quoted = len(entry) > 1 and entry[0] == entry[-1] and entry[0] in "\"'"
    return one_line(normalise(without_links(entry[1:-1] if quoted else entry.partition(" #")[0])))
