// The hyperedges that mean nearly the same as the query.
MATCH (h:ClewHyperedge)
SEARCH h IN (VECTOR INDEX clew_hyperedge_embedding FOR $vector WHERE h.kb = $kb LIMIT $candidates) SCORE AS score
WITH h, score
WHERE ($role IS NULL OR EXISTS { (h)-[:CONNECTS {role: $role}]->() })
  AND ($type IS NULL OR EXISTS { (h)-[:CONNECTS]->(:ClewEntity {type: $type}) })
RETURN h.id AS id
ORDER BY score DESC, id
LIMIT $limit
