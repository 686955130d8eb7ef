// Where another encoder's vectors lie while it takes over, and from then on (clew.operations.reindex).
CREATE VECTOR INDEX clew_chunk_embedding_2 IF NOT EXISTS
FOR (n:ClewChunk) ON (n.embedding_2) WITH [n.kb]
OPTIONS {indexConfig: {
  `vector.similarity_function`: 'cosine',
  `vector.quantization.type`: 'NONE',
  `vector.default_search_expansion_factor`: 4.0,
  `vector.hnsw.m`: 16,
  `vector.hnsw.ef_construction`: 64
}}
