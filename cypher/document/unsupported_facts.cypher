// The hyperedges that no chunk of any other document states: they go with these documents.
UNWIND $documents AS id
MATCH (:ClewDocument {id: id, kb: $kb})-[:HAS_CHUNK]->(:ClewChunk)-[s:STATES]->(h:ClewHyperedge)
WITH h, count(s) AS own
WHERE own = COUNT { (:ClewChunk)-[:STATES]->(h) }
RETURN h.id AS id
