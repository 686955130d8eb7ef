// The best connected entities, by the index on their degree.
MATCH (e:ClewEntity {kb: $kb})
WHERE e.degree > 0 AND ($type IS NULL OR e.type = $type)
  AND ($role IS NULL OR EXISTS { (:ClewHyperedge)-[:CONNECTS {role: $role}]->(e) })
RETURN e.id AS id
ORDER BY e.degree DESC
LIMIT $limit
