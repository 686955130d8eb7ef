// The hyperedges that no chunk of any other document states: they go with these documents.
UNWIND $documents AS id
MATCH (:Document {id: id, kb: $kb})-[:HAS_CHUNK]->(:Chunk)-[s:STATES]->(h:Hyperedge)
WITH h, count(s) AS own
WHERE own = COUNT { (:Chunk)-[:STATES]->(h) }
RETURN h.id AS id
