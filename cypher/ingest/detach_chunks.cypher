// The chunks of these documents go, at most $limit of them; what they stated is returned, to be removed where nothing
// else states it. A trajectory that cites one of them is marked, so that the tie is made again should the passage come
// back.
UNWIND $documents AS id
MATCH (:ClewDocument {id: id, kb: $kb})-[:HAS_CHUNK]->(c:ClewChunk)
WITH c LIMIT $limit
OPTIONAL MATCH (c)-[:STATES]->(h:ClewHyperedge)
WITH c, collect(DISTINCT h.id) AS stated
CALL (c) {
  MATCH (t:ClewTrajectory)-[:CITES]->(c)
  SET t.torn = true
}
DETACH DELETE c
WITH stated
UNWIND stated AS hyperedge
RETURN DISTINCT hyperedge
