// From here on the other vectors are searched; those of before stay, and may be gone back to.
MATCH (k:ClewKnowledgeBase {name: $kb})
WITH k, k.embedder AS embedder, k.dimensions AS dimensions, k.precision AS precision
SET k.embedder = k.other_embedder, k.dimensions = k.other_dimensions, k.precision = k.other_precision,
    k.other_embedder = embedder, k.other_dimensions = dimensions, k.other_precision = precision,
    k.slot = $slot, k.version = randomUUID()
