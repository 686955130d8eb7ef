"""What a form in a PDF was filled with, beside the labels of its fields."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from typing import Any

from clew.documents.pdf.layout import Piece
from clew.text.normalise import normalise, one_line

_LONGEST_VALUE = 10_000


def values_of_fields(document: Any, page: Any, found: list[Piece]) -> list[Piece]:
    """What a form was filled with, as pieces at the place of its fields."""
    import pypdfium2.raw as pdfium

    form = document.formenv
    filled: list[Piece] = []
    for annotation in _annotations(page):
        kind = pdfium.FPDFAnnot_GetFormFieldType(form, annotation)
        box = pdfium.FS_RECTF()
        if kind <= 0 or not pdfium.FPDFAnnot_GetRect(annotation, box):
            continue
        marked = kind in {pdfium.FPDF_FORMFIELD_CHECKBOX, pdfium.FPDF_FORMFIELD_RADIOBUTTON}
        if marked:
            value = "yes" if pdfium.FPDFAnnot_IsChecked(form, annotation) else "no"
        elif kind in {pdfium.FPDF_FORMFIELD_PUSHBUTTON, pdfium.FPDF_FORMFIELD_SIGNATURE}:
            continue
        else:
            value = _string(pdfium.FPDFAnnot_GetFormFieldValue, form, annotation)
        name = _string(pdfium.FPDFAnnot_GetFormFieldAlternateName, form, annotation)
        name = name or _string(pdfium.FPDFAnnot_GetFormFieldName, form, annotation)
        if not value.strip():
            continue
        value = one_line(normalise(value), _LONGEST_VALUE)
        # A line of a field belongs to the line of its label, whose base line lies between the field's bottom and top.
        beside = [p for p in found if box.bottom - 2 <= p.y <= box.top]
        label = max((p for p in beside if p.right <= box.left + 2), key=lambda piece: piece.right, default=None)
        if other := None if label and not marked else _label_of(found, beside, box, behind=marked):
            other.text = f"{other.text.rstrip(': ')}: {value}"
            continue
        text = value if label else f"{name.rpartition('.')[2]}: {value}"
        y, size = (label.y, label.size) if label else (box.bottom, 10.0)
        filled.append(Piece(box.left, box.right, y, size, False, text=one_line(normalise(text), _LONGEST_VALUE)))
    return filled


def _annotations(page: Any) -> Iterator[Any]:
    """The annotations of a page, fields of forms among them; each is closed when the next one is asked for."""
    import pypdfium2.raw as pdfium

    for at in range(pdfium.FPDFPage_GetAnnotCount(page)):
        annotation = pdfium.FPDFPage_GetAnnot(page, at)
        try:
            yield annotation
        finally:
            pdfium.FPDFPage_CloseAnnot(annotation)


def _label_of(found: list[Piece], beside: list[Piece], box: Any, *, behind: bool) -> Piece | None:
    """The label of a field that has none before it: right above it; or behind it, of a box to tick."""
    if behind:
        near = [p for p in beside if -2 <= p.left - box.right <= 2 * (box.top - box.bottom)]
        return min(near, key=lambda piece: piece.left, default=None)
    above = [p for p in found if abs(p.left - box.left) < p.size and -2 <= p.y - box.top <= 1.5 * p.size]
    return min(above, key=lambda piece: piece.y, default=None)


def _string(get: Any, form: Any, annotation: Any) -> str:
    size = get(form, annotation, None, 0)
    if not 2 < size < 1_000_000:
        return ""
    buffer = ctypes.create_string_buffer(size)
    get(form, annotation, ctypes.cast(buffer, ctypes.POINTER(ctypes.c_ushort)), size)
    return buffer.raw.decode("utf-16-le", "replace").partition("\0")[0]
