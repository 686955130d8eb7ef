"""Subtitles: what is said, as paragraphs."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator

from clew.documents.blocks import Draft, Layout
from clew.documents.encoding import decode
from clew.documents.format import Format, Input
from clew.documents.parsed import Parsed, notes, title_of_name
from clew.text.normalise import normalise

_TIME = re.compile(r"(?:\d+:)?\d{1,2}:\d{2}[.,]\d{1,3}[ \t]*-->[^\n]*")
_LINE_END = re.compile("\r\n?")
_NUMBER = re.compile(r"\s*\d+\s*")
_VOICE = re.compile(r"<v(?:\.[^ >]*)? ([^>]{1,80})>")
_SPEAKER = re.compile(r"([^\W\d_a-z][\w.'’-]{0,30}(?: [^\W\d_a-z][\w.'’-]{0,30}){0,3}) ?:[ \t]+(?=\S)")
"""Who speaks, as programs for meetings write it in most cues: "Ida Berg: We begin."."""
_TURN = re.compile(r"\n(?=[-–—]\s?\S)")
"""Where another one begins to speak in the same cue."""
_TAG = re.compile(r"</?[^>\n]{0,80}>|\{\\[^}\n]{0,80}\}")
_ENDED = re.compile(r"[.!?…。！？][\"'”’)\]]*$")
_LONGEST = 900


def read(source: Input) -> Iterator[Parsed]:
    """Read SubRip and WebVTT, with sentences over several cues joined.

    A change of speaker begins a paragraph, which is led by the speaker's name. Captions that roll, as those of YouTube
    do, show each line again in the next cue, where it is left out.
    """
    decoded = decode(source.data, charset=source.charset, encoding=source.encoding)
    paragraphs: list[str] = []
    speaker = ""
    turns = list(_turns(decoded.text))
    named = 2 * sum(bool(_SPEAKER.match(cue)) for cue in turns) > len(turns) > 1
    for cue in turns:
        voice = _SPEAKER.match(cue) if named else _VOICE.search(cue)
        spoken = " ".join(html.unescape(_TAG.sub("", cue[voice.end() :] if voice and named else cue)).split())
        if not spoken:
            continue
        new = voice.group(1).strip() if voice else ""
        if new and new != speaker:
            paragraphs.append(f"{new}: {spoken}")
        elif paragraphs and not _TURN.match(f"\n{spoken}") and _goes_on(paragraphs[-1], new == speaker):
            paragraphs[-1] += f" {spoken}"
        else:
            paragraphs.append(spoken)
        speaker = new
    layout = Layout(map(Draft, paragraphs))
    yield Parsed(title_of_name(source.name), layout.text, notes=notes(decoded.note), blocks=tuple(layout.blocks))


def _turns(text: str) -> Iterator[str]:
    """What is said in the cues, each turn of a cue by itself."""
    shown: list[str] = []
    for lines in _cues(_LINE_END.sub("\n", text).split("\n")):
        plain = [" ".join(_TAG.sub("", line).split()) for line in lines]
        again = next((size for size in range(len(plain), 0, -1) if plain[:size] == shown[-size:]), 0)
        shown = [line for line in plain if line]
        yield from _TURN.split(normalise("\n".join(lines[again:])))


def _cues(lines: list[str]) -> Iterator[list[str]]:
    """The lines of each cue: those behind its time, up to an empty one; a space is a line that shows nothing."""
    cue: list[str] | None = None
    for line in [*lines, ""]:
        if _TIME.match(line.strip()):
            if cue:
                yield cue[:-1] if _NUMBER.fullmatch(cue[-1]) else cue  # no empty line parts them
            cue = []
        elif cue is not None and line:
            cue += [line] if line.strip() else []
        elif cue:
            yield cue
            cue = None


def _goes_on(paragraph: str, same: bool) -> bool:
    return len(paragraph) < _LONGEST and (same or not _ENDED.search(paragraph))


FORMAT = Format(
    "srt", "subtitles", "application/x-subrip", read, endings=("vtt",), media_types=("text/vtt",), isolated=False
)
