// Facts that no chunk states.
MATCH (n:ClewHyperedge {kb: $kb})
WHERE NOT EXISTS { (:ClewChunk)-[:STATES]->(n) }
RETURN n.id AS id LIMIT $limit
