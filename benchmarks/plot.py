"""A curve as a picture that stands alone, for the documentation."""

from __future__ import annotations

from html import escape

_STYLE = (
    "<style>svg{overflow:visible}text{font:11px sans-serif;fill:#57606a}.grid{stroke:#d0d7de}.end{text-anchor:end}"
    ".mid{text-anchor:middle}.curve{fill:none;stroke:#1f6feb;stroke-width:2}.band{fill:#1f6feb;opacity:.15}"
    ".dot{fill:#1f6feb}</style>"
)


def alone(drawn: str, above: str, below: str) -> str:
    """An SVG of a curve of 560 by 260 pixels, with what its axes are."""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 600 310" width="600" height="310">{_STYLE}'
        f'<text x="12" y="16">{escape(above)}</text><g transform="translate(12 24)">{drawn}</g>'
        f'<text class="mid" x="310" y="302">{escape(below)}</text></svg>\n'
    )
