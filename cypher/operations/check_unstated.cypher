// Facts that no chunk states.
MATCH (n:Hyperedge {kb: $kb})
WHERE NOT EXISTS { (:Chunk)-[:STATES]->(n) }
RETURN n.id AS id LIMIT $limit
