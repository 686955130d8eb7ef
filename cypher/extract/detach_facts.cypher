// What the model stated of these chunks before gives way; it is returned, to be removed where nothing else states it.
UNWIND $chunks AS id
MATCH (:ClewChunk {id: id})-[s:STATES]->(h:ClewHyperedge {origin: $origin})
DELETE s
RETURN DISTINCT h.id AS hyperedge
