CREATE INDEX chunk_kb IF NOT EXISTS FOR (n:Chunk) ON (n.kb)
