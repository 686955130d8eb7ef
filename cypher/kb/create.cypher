MERGE (k:ClewKnowledgeBase {name: $kb})
ON CREATE SET k:KnowledgeBase, k.embedder = $embedder, k.dimensions = $dimensions, k.precision = $precision
RETURN k.embedder AS embedder, k.dimensions AS dimensions
