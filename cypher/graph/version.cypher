MATCH (k:KnowledgeBase {name: $kb})
RETURN k.version AS version, k.dimensions AS dimensions, k.embedder AS embedder, k.precision AS precision
