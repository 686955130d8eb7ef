MATCH (e:ClewEntity {kb: $kb, stale: true})
RETURN e.id AS id, EXISTS { (:ClewHyperedge)-[:CONNECTS]->(e) } AS connected
LIMIT $limit
