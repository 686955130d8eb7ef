MERGE (k:KnowledgeBase {name: $kb})
ON CREATE SET k.embedder = $embedder, k.dimensions = $dimensions
RETURN k.embedder AS embedder, k.dimensions AS dimensions
