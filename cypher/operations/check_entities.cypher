// Entities that no fact connects.
MATCH (n:ClewEntity {kb: $kb})
WHERE NOT EXISTS { (:ClewHyperedge)-[:CONNECTS]->(n) }
RETURN n.id AS id LIMIT $limit
