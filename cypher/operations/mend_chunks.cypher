// Chunks of no document go; what they stated is returned.
UNWIND $ids AS id
MATCH (c:ClewChunk {id: id, kb: $kb})
WHERE NOT EXISTS { (:ClewDocument)-[:HAS_CHUNK]->(c) }
OPTIONAL MATCH (c)-[:STATES]->(h:ClewHyperedge)
WITH c, collect(DISTINCT h.id) AS stated
DETACH DELETE c
WITH stated
UNWIND stated AS hyperedge
RETURN DISTINCT hyperedge
