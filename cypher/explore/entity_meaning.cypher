// The entities whose names mean nearly the same as the query.
MATCH (e:ClewEntity)
SEARCH e IN (VECTOR INDEX clew_entity_embedding FOR $vector WHERE e.kb = $kb LIMIT $candidates) SCORE AS score
WITH e, score
WHERE ($type IS NULL OR e.type = $type)
  AND ($role IS NULL OR EXISTS { (:ClewHyperedge)-[:CONNECTS {role: $role}]->(e) })
RETURN e.id AS id
ORDER BY score DESC, id
LIMIT $limit
