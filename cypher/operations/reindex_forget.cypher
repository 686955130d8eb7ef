// There are no other vectors any more.
MATCH (k:ClewKnowledgeBase {name: $kb})
REMOVE k.other_embedder, k.other_dimensions, k.other_precision
