// Some hyperedges, for a first look where nothing is asked for.
MATCH (h:ClewHyperedge {kb: $kb})
WHERE h.id > '' AND ($role IS NULL OR EXISTS { (h)-[:CONNECTS {role: $role}]->() })
  AND ($type IS NULL OR EXISTS { (h)-[:CONNECTS]->(:ClewEntity {type: $type}) })
RETURN h.id AS id
LIMIT $limit
