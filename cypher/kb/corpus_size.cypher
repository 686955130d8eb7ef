// Characters of the documents' text, as their chunks hold it.
MATCH (c:ClewChunk {kb: $kb})
RETURN sum(c.end - c.start) AS characters
