"""Subtitles: what is said, as paragraphs."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator

from clew.ingest.formats.blocks import Draft, Layout
from clew.ingest.formats.encoding import decode
from clew.ingest.formats.format import Format, Input
from clew.ingest.formats.parsed import Parsed, notes, title_of_name
from clew.text.normalise import normalise

_TIME = re.compile(r"(?:\d+:)?\d{1,2}:\d{2}[.,]\d{1,3}[ \t]*-->[^\n]*")
_VOICE = re.compile(r"<v(?:\.[^ >]*)? ([^>]{1,80})>")
_TURN = re.compile(r"\n(?=[-–—]\s?\S)")
"""Where another one begins to speak in the same cue."""
_TAG = re.compile(r"</?[^>\n]{0,80}>|\{\\[^}\n]{0,80}\}")
_ENDED = re.compile(r"[.!?…。！？][\"'”’)\]]*$")
_LONGEST = 900


def read(source: Input) -> Iterator[Parsed]:
    """Read SubRip and WebVTT: the cues in their order, a sentence over several of them in one piece.

    A change of speaker begins a paragraph, which is led by the speaker's name.
    """
    decoded = decode(source.data, charset=source.charset, encoding=source.encoding)
    paragraphs: list[str] = []
    speaker = ""
    for block in normalise(decoded.text).split("\n\n"):
        at = _TIME.search(block)
        if at is None:
            continue  # the header, a note or a style
        for cue in _TURN.split(block[at.end() :].strip()):
            voice = _VOICE.search(cue)
            said = " ".join(html.unescape(_TAG.sub("", cue)).split())
            if not said:
                continue
            new = voice.group(1).strip() if voice else ""
            if new and new != speaker:
                paragraphs.append(f"{new}: {said}")
            elif paragraphs and not _TURN.match(f"\n{said}") and _goes_on(paragraphs[-1], new == speaker):
                paragraphs[-1] += f" {said}"
            else:
                paragraphs.append(said)
            speaker = new
    layout = Layout(map(Draft, paragraphs))
    yield Parsed(title_of_name(source.name), layout.text, notes=notes(decoded.note), blocks=tuple(layout.blocks))


def _goes_on(paragraph: str, same: bool) -> bool:
    return len(paragraph) < _LONGEST and (same or not _ENDED.search(paragraph))


FORMAT = Format(
    "srt", "subtitles", "application/x-subrip", read, endings=("vtt",), media_types=("text/vtt",), isolated=False
)
