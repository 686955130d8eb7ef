UNWIND $entities AS id
MATCH (e:Entity {id: id})
WHERE NOT EXISTS { (:Hyperedge)-[:CONNECTS]->(e) }
DETACH DELETE e
