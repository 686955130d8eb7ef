// The version, and which encoder made the vectors in a slot.
MATCH (k:ClewKnowledgeBase {name: $kb})
WITH k, coalesce(k.slot, '') = $slot AS used
RETURN k.version AS version, CASE WHEN used THEN k.dimensions ELSE coalesce(k.other_dimensions, 0) END AS dimensions,
       CASE WHEN used THEN k.embedder ELSE coalesce(k.other_embedder, '') END AS embedder,
       CASE WHEN used THEN k.precision ELSE coalesce(k.other_precision, '') END AS precision
