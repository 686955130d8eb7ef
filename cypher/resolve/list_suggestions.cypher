// A page of the suggestions that are still open, the likeliest first: not refused, and not merged some other way.
MATCH (a:ClewEntity {kb: $kb})-[r:MAYBE_SAME_AS]->(b:ClewEntity)
WHERE NOT EXISTS { (a)-[:DIFFERENT_FROM]-(b) } AND NOT EXISTS { (a) (()-[:SAME_AS]-()){1,} (b) }
WITH a, r, b ORDER BY r.score DESC, a.id, b.id SKIP $skip LIMIT $limit
RETURN a {.id, .name, .type, .degree} AS a, b {.id, .name, .type, .degree} AS b, r.score AS score,
       r.reasons AS reasons, r.judged AS judged
