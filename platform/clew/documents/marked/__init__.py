"""Marked-up and plain text: Markdown, reStructuredText."""
