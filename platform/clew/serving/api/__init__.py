"""Clew over HTTP: ``clew serve``. Thin over the library; every route says what right it takes."""
