// The entities whose names have the words, by the full-text index.
CALL db.index.fulltext.queryNodes('clew_entity_words', $words, {limit: $candidates}) YIELD node AS e, score
WITH e, score
WHERE e.kb = $kb AND ($type IS NULL OR e.type = $type)
  AND ($role IS NULL OR EXISTS { (:ClewHyperedge)-[:CONNECTS {role: $role}]->(e) })
RETURN e.id AS id
ORDER BY score DESC, e.degree DESC, id
LIMIT $limit
