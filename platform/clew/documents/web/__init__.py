"""Web pages: main content, boilerplate, tables, metadata."""
