// The hyperedges that have the words, by the full-text index.
CALL db.index.fulltext.queryNodes('clew_hyperedge_words', $words, {limit: $candidates}) YIELD node AS h, score
WITH h, score
WHERE h.kb = $kb AND ($role IS NULL OR EXISTS { (h)-[:CONNECTS {role: $role}]->() })
  AND ($type IS NULL OR EXISTS { (h)-[:CONNECTS]->(:ClewEntity {type: $type}) })
RETURN h.id AS id
ORDER BY score DESC, id
LIMIT $limit
