// There are no other vectors any more.
MATCH (k:KnowledgeBase {name: $kb})
REMOVE k.other_embedder, k.other_dimensions, k.other_precision
