MATCH (e:Entity {kb: $kb, stale: true})
RETURN e.id AS id
LIMIT $limit
