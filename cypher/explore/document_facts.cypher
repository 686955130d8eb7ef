// The hyperedges that a document states, in the order of the text, with how near each is to the query where one is asked.
MATCH (:ClewDocument {id: $document, kb: $kb})-[:HAS_CHUNK]->(:ClewChunk)-[s:STATES]->(h:ClewHyperedge)
WHERE ($role IS NULL OR EXISTS { (h)-[:CONNECTS {role: $role}]->() })
  AND ($type IS NULL OR EXISTS { (h)-[:CONNECTS]->(:ClewEntity {type: $type}) })
RETURN h.id AS id, s.start AS start, s.end AS end, h.key AS key,
       CASE WHEN $vector IS NULL THEN 0.0 ELSE vector.similarity.cosine(h.embedding, $vector) END AS score
ORDER BY start, end, id
