// What the model stated of these chunks before gives way; it is returned, to be removed where nothing else states it.
UNWIND $chunks AS id
MATCH (:Chunk {id: id})-[s:STATES]->(h:Hyperedge {origin: $origin})
DELETE s
RETURN DISTINCT h.id AS hyperedge
