UNWIND $hyperedges AS id
MATCH (h:Hyperedge {id: id})
WHERE NOT EXISTS { (:Chunk)-[:STATES]->(h) }
OPTIONAL MATCH (h)-[:CONNECTS]->(e:Entity)
WITH h, collect(e.id) AS connected
DETACH DELETE h
WITH connected
UNWIND connected AS entity
RETURN DISTINCT entity
