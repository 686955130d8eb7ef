// Those of the stale entities that nothing connects.
UNWIND $entities AS id
MATCH (e:Entity {id: id, stale: true})
WHERE NOT EXISTS { (:Hyperedge)-[:CONNECTS]->(e) }
DETACH DELETE e
