MATCH (k:KnowledgeBase {name: $kb}) RETURN k.embedder AS embedder, k.dimensions AS dimensions
