// Those of the stale entities that nothing connects.
UNWIND $entities AS id
MATCH (e:ClewEntity {id: id, stale: true})
WHERE NOT EXISTS { (:ClewHyperedge)-[:CONNECTS]->(e) }
DETACH DELETE e
