// The chunks of these documents go; what they stated is returned, to be removed where nothing else states it.
UNWIND $documents AS id
MATCH (:Document {id: id, kb: $kb})-[:HAS_CHUNK]->(c:Chunk)
OPTIONAL MATCH (c)-[:STATES]->(h:Hyperedge)
WITH c, collect(DISTINCT h.id) AS stated
DETACH DELETE c
WITH stated
UNWIND stated AS hyperedge
RETURN DISTINCT hyperedge
