// Hyperedges that share entities with one, or its one entity of a name. A hub's are too many to weigh: some of them do.
MATCH (:ClewHyperedge {id: $fact, kb: $kb})-[:CONNECTS]->(e:ClewEntity)
WHERE $entity IS NULL OR e.name = $entity
WITH DISTINCT e
CALL (e) {
  MATCH (e)<-[:CONNECTS]-(h:ClewHyperedge)
  WHERE h.id <> $fact AND NOT h.id IN $known
  WITH DISTINCT h LIMIT 400
  RETURN h
}
WITH h, count(*) AS shared, sum(1.0 / coalesce(nullIf(e.degree, 0), 1)) AS closeness
ORDER BY shared DESC, closeness DESC, h.id
LIMIT $limit
RETURN h.id AS id
