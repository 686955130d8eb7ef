CREATE INDEX clew_chunk_kb IF NOT EXISTS FOR (n:ClewChunk) ON (n.kb)
