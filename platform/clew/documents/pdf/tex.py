"""The characters of TeX's fonts of dots: a PDF tells no more of them than their codes, which are those of an encoding.

Printable codes of ASCII are read as such: what font a letter is of is not told, and those for programs have them all.
"""

from __future__ import annotations

from collections.abc import Iterable

_LIGATURES = ("ff", "fi", "fl", "ffi", "ffl")
_CORK_LIGATURES, _OLD_LIGATURES = range(0x1B, 0x20), range(0x0B, 0x10)


def _codes(first: int, characters: Iterable[str]) -> dict[int, str]:
    return dict(enumerate(characters, first))


_CORK = {
    **_codes(0x00, "`´ˆ˜¨˝˚ˇ˘¯˙¸˛‚‹›“”„«»–—"),
    **_codes(0x17, ("", "", "ı", "ȷ", *_LIGATURES)),
    0x7F: "-",
    **_codes(0x80, "ĂĄĆČĎĚĘĞĹĽŁŃŇŊŐŔŘŚŠŞŤŢŰŮŸŹŽŻĲİđ§ăąćčďěęğĺľłńňŋőŕřśšşťţűůÿźžżĳ¡¿£"),
    **_codes(0xC0, map(chr, range(0xC0, 0x100))),
    0xD7: "Œ",
    0xDF: "ẞ",
    0xF7: "œ",
    0xFF: "ß",
}
"""The encoding T1."""
_OLD = {
    **_codes(0x00, "ΓΔΘΛΞΠΣΥΦΨΩ"),
    **_codes(0x0B, (*_LIGATURES, "ı", "ȷ", *"`´ˇ˘¯˚¸ßæœøÆŒØ")),
    0x7F: "¨",
}
"""The encoding OT1."""


def encoding_of(codes: Iterable[str]) -> dict[int, str]:
    """The encoding of a text, for ``str.translate``, by its codes: ligatures tell which; empty where it has none."""
    found = [ord(code) for code in codes if len(code) == 1]
    cork, old = (sum(code in ligatures for code in found) for ligatures in (_CORK_LIGATURES, _OLD_LIGATURES))
    if cork == old:
        return {}
    return _CORK if cork > old else _OLD
