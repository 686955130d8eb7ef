// A page of the pairs that were said to be different, the latest first.
MATCH (a:ClewEntity {kb: $kb})-[r:DIFFERENT_FROM]->(b:ClewEntity)
WITH a, r, b ORDER BY r.at DESC, a.id, b.id SKIP $skip LIMIT $limit
RETURN a {.id, .name, .type, .degree} AS a, b {.id, .name, .type, .degree} AS b, r.by AS by, toString(r.at) AS at
