// The chunks of these documents go, at most $limit of them; what they stated is returned, to be removed where nothing
// else states it. A trajectory that cites one of them is marked, so that the tie is made again should the passage come
// back.
UNWIND $documents AS id
MATCH (:Document {id: id, kb: $kb})-[:HAS_CHUNK]->(c:Chunk)
WITH c LIMIT $limit
OPTIONAL MATCH (c)-[:STATES]->(h:Hyperedge)
WITH c, collect(DISTINCT h.id) AS stated
CALL (c) {
  MATCH (t:Trajectory)-[:CITES]->(c)
  SET t.torn = true
}
DETACH DELETE c
WITH stated
UNWIND stated AS hyperedge
RETURN DISTINCT hyperedge
