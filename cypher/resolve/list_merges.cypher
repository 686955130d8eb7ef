// A page of the merges, the latest first.
MATCH (a:ClewEntity {kb: $kb})-[r:SAME_AS]->(b:ClewEntity)
WITH a, r, b ORDER BY r.at DESC, r.score, a.id, b.id SKIP $skip LIMIT $limit
RETURN a {.id, .name, .type, .degree} AS a, b {.id, .name, .type, .degree} AS b, r.score AS score,
       r.reasons AS reasons, r.by AS by, toString(r.at) AS at
