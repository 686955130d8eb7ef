MERGE (k:KnowledgeBase {name: $kb})
ON CREATE SET k.embedder = $embedder, k.dimensions = $dimensions, k.precision = $precision
RETURN k.embedder AS embedder, k.dimensions AS dimensions
