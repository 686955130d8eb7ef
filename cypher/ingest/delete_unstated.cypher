// A step that retrieved one of them is marked, so that the tie is made again should the hyperedge come back.
UNWIND $hyperedges AS id
MATCH (h:ClewHyperedge {id: id})
WHERE NOT EXISTS { (:ClewChunk)-[:STATES]->(h) }
OPTIONAL MATCH (h)-[:CONNECTS]->(e:ClewEntity)
WITH h, collect(e.id) AS connected
CALL (h) {
  MATCH (s:ClewStep)-[:RETRIEVED]->(h)
  SET s.torn = true
}
DETACH DELETE h
WITH connected
UNWIND connected AS entity
RETURN DISTINCT entity
