"""Files to text: blocks with their cells, metadata and notes, whatever the format."""
