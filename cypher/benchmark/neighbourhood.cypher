// The neighbourhoods of a batch of walks by Cypher alone, as an alternative to the copy of the graph in memory: two hops
// from entities and one from chunks, of each entity the $cap hyperedges nearest to a vector, with all that they touch.
UNWIND range(0, size($queries) - 1) AS i
CALL (i) {
  UNWIND $entities[i] AS id
  CALL (i, id) {
    MATCH (:ClewEntity {id: id})<-[:CONNECTS]-(h:ClewHyperedge)
    WITH h ORDER BY vector.similarity.cosine(h.embedding, $queries[i]) DESC LIMIT $cap
    RETURN h
  }
  RETURN collect(DISTINCT h) AS near
}
CALL (i, near) {
  UNWIND near AS h
  MATCH (h)-[:CONNECTS]->(e:ClewEntity)
  WHERE NOT e.id IN $entities[i]
  WITH DISTINCT e
  WHERE COUNT { (e)<-[:CONNECTS]-() } <= $hub
  CALL (i, e) {
    MATCH (e)<-[:CONNECTS]-(h:ClewHyperedge)
    WITH h ORDER BY vector.similarity.cosine(h.embedding, $queries[i]) DESC LIMIT $cap
    RETURN h
  }
  RETURN collect(DISTINCT h) AS far
}
CALL (i) {
  UNWIND $chunks[i] AS id
  MATCH (:ClewChunk {id: id})-[:STATES]->(h:ClewHyperedge)
  RETURN collect(DISTINCT h) AS stated
}
UNWIND near + far + stated AS h
WITH DISTINCT i, h
RETURN i, h.id AS id, vector.similarity.cosine(h.embedding, $queries[i]) AS similarity,
       COLLECT { MATCH (h)-[:CONNECTS]->(e:ClewEntity) RETURN e.id } AS entities,
       COLLECT { MATCH (c:ClewChunk)-[:STATES]->(h) RETURN DISTINCT c.id } AS chunks
