// One whose sameness somebody has decided is left for ``delete_stale``, as the same ingest may bring it back.
UNWIND $entities AS id
MATCH (e:ClewEntity {id: id})
WHERE NOT EXISTS { (:ClewHyperedge)-[:CONNECTS]->(e) } AND NOT EXISTS { (e)-[:SAME_AS|DIFFERENT_FROM]-() }
DETACH DELETE e
