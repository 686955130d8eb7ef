// Entities that no fact connects.
MATCH (n:Entity {kb: $kb})
WHERE NOT EXISTS { (:Hyperedge)-[:CONNECTS]->(n) }
RETURN n.id AS id LIMIT $limit
