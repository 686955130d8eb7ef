"""What a question asks of a thing: its height, its price, its capital."""

from __future__ import annotations

ADJECTIVES = {
    "weigh": "weight", "heavy": "weight", "long": "length", "tall": "height", "high": "height", "wide": "width",
    "deep": "depth", "cost": "price", "expensive": "price", "much": "price", "old": "age", "large": "area",
    "big": "size", "fast": "speed",
}  # fmt: skip
"""The noun that a word asks for the measure of, or tells it of."""
