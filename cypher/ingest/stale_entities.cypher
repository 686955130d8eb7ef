MATCH (e:Entity {kb: $kb, stale: true})
RETURN e.id AS id, EXISTS { (:Hyperedge)-[:CONNECTS]->(e) } AS connected
LIMIT $limit
