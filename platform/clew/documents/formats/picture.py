"""Pictures: scans, photographs of a page, screenshots, read by OCR where the extra ``ocr`` is installed."""

from __future__ import annotations

import io
from collections import Counter
from collections.abc import Iterator

from clew.documents.blocks import Draft, Layout
from clew.documents.format import Format, Input
from clew.documents.marks import left_out
from clew.documents.parsed import Parsed, Unreadable, headline, title_of_name
from clew.documents.pdf import ocr
from clew.documents.pdf.tables import lines

_MAGIC = (b"\x89PNG\r\n", b"\xff\xd8\xff", b"II*\x00", b"MM\x00*", b"BM")
_MOST_FRAMES = 500
_MOST_PIXELS = 100_000_000


def read(source: Input) -> Iterator[Parsed]:
    """Read a picture; one of several frames, such as a fax, has a page for each.

    Raises Unreadable where it is damaged, too large or has no text that can be made out.
    """
    import numpy as np
    from PIL import Image

    layout = Layout()
    counts: Counter[str] = Counter()
    try:
        with Image.open(io.BytesIO(source.data)) as picture:
            for number in range(min(getattr(picture, "n_frames", 1), _MOST_FRAMES)):
                picture.seek(number)
                if picture.width * picture.height > _MOST_PIXELS:
                    raise Unreadable(f"The picture has more than {_MOST_PIXELS / 1e6:g} million dots.")
                frame = picture.convert("RGB")
                frame.thumbnail((ocr.MOST_DOTS, ocr.MOST_DOTS))
                found = "\n".join(line.text for line in lines(ocr.pieces_of(np.asarray(frame), counts)))
                layout.add_page([Draft(found)])
                source.tick()
    except (OSError, SyntaxError, ValueError, Image.DecompressionBombError) as error:
        raise Unreadable(f"The picture is damaged ({type(error).__name__}).") from error
    if not layout.size:
        raise Unreadable("It has no text that could be made out.")
    title = headline(layout.text) or title_of_name(source.name)
    starts = tuple(layout.pages) if len(layout.pages) > 1 else ()
    notes = (ocr.NOTE, *left_out(counts))
    yield Parsed(title, layout.text, pages=starts, notes=notes, blocks=tuple(layout.blocks))


FORMAT = Format(
    "png",
    "a picture",
    "image/png",
    read,
    endings=("jpg", "jpeg", "tif", "tiff", "bmp"),
    media_types=("image/jpeg", "image/tiff", "image/bmp"),
    recognise=lambda data: data.startswith(_MAGIC),
    needs=ocr.PACKAGE,
)
