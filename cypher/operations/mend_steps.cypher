UNWIND $ids AS id
MATCH (s:Step {id: id, kb: $kb})
WHERE NOT EXISTS { (:Trajectory)-[:STEP]->(s) }
DETACH DELETE s
