UNWIND $documents AS id
MATCH (:Document {id: id})-[:HAS_CHUNK]->(:Chunk)-[:STATES]->(h:Hyperedge)
RETURN DISTINCT h.id AS id
