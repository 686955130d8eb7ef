"""An HTML page that needs nothing else: no script, no address, nothing to fetch.

Whatever is shown is hostile: the template escapes all of it, control characters are taken out, and the page forbids
itself to run or load anything.
"""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path
from typing import Any

from markupsafe import Markup

from clew.errors import InputError
from clew.reporting.table import as_html
from clew.reporting.terminal import plain

_SCROLL = Markup('<div class="scroll" tabindex="0">{}</div>')


def render(package: str, template: str, content: dict[str, Any]) -> str:
    """The page that a ``template`` of a package makes of its content, as text.

    Templates extend ``page.html``; a Table becomes one by ``table(…)``.
    """
    from jinja2 import DictLoader, Environment

    def clean(value: Any) -> Any:
        return plain(value) if isinstance(value, str) and not isinstance(value, Markup) else value

    texts = {
        name: (files(place) / name).read_text("utf-8")
        for place, name in (("clew.reporting", "page.html"), (package, template))
    }
    environment = Environment(
        autoescape=True, trim_blocks=True, lstrip_blocks=True, finalize=clean, loader=DictLoader(texts)
    )
    environment.globals["table"] = lambda table: _SCROLL.format(as_html(table))
    return environment.get_template(template).render(content)


def write_page(text: str, page: Path) -> Path:
    """Write a page, and return where. Raises InputError where it cannot be written."""
    try:
        page.write_bytes(text.encode("utf-8", "replace"))
    except OSError as error:
        raise InputError(f"{page} cannot be written ({error.strerror}); name another with --out.") from error
    return page
