"""Office files: what their packages say beside the text."""
