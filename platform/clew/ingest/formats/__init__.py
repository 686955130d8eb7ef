"""The readers: bytes of one format in, a title and clean text out. ``parsed`` has what they share."""
