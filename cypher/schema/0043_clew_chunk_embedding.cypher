// Without quantisation, which costs least to write among the exact settings (docs/benchmarks.md); without fixed
// dimensions, so that knowledge bases with different encoders share it.
CREATE VECTOR INDEX clew_chunk_embedding IF NOT EXISTS
FOR (n:ClewChunk) ON (n.embedding) WITH [n.kb]
OPTIONS {indexConfig: {
  `vector.similarity_function`: 'cosine',
  `vector.quantization.type`: 'NONE',
  `vector.default_search_expansion_factor`: 4.0,
  `vector.hnsw.m`: 16,
  `vector.hnsw.ef_construction`: 64
}}
