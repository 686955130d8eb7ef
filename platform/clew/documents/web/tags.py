"""Tags of web pages that several readers ask for."""

from __future__ import annotations

HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
BLOCKS = frozenset(HEADINGS) | frozenset(
    "address article aside blockquote body button caption center dd details dialog div dl dt fieldset figcaption "
    "figure footer form header hr html li main ol p pre section summary table tbody td tfoot th thead tr ul".split()
)
