// The best connected entities, by the index on their degree.
MATCH (e:Entity {kb: $kb})
WHERE e.degree > 0 AND ($type IS NULL OR e.type = $type)
  AND ($role IS NULL OR EXISTS { (:Hyperedge)-[:CONNECTS {role: $role}]->(e) })
RETURN e.id AS id
ORDER BY e.degree DESC
LIMIT $limit
