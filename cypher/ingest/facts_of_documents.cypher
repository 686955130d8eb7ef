UNWIND $documents AS id
MATCH (:ClewDocument {id: id})-[:HAS_CHUNK]->(:ClewChunk)-[:STATES]->(h:ClewHyperedge)
RETURN DISTINCT h.id AS id
