// Which encoder wrote the vectors that are searched, and where they are.
MATCH (k:ClewKnowledgeBase {name: $kb})
WHERE k.restoring IS NULL
RETURN k.embedder AS embedder, k.dimensions AS dimensions, k.precision AS precision, coalesce(k.slot, '') AS slot,
       k.other_embedder AS other_embedder, k.other_dimensions AS other_dimensions
