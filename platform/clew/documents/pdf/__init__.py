"""PDF: characters, lines, columns, blocks and tables of its pages."""
