UNWIND $ids AS id
MATCH (s:ClewStep {id: id, kb: $kb})
WHERE NOT EXISTS { (:ClewTrajectory)-[:STEP]->(s) }
DETACH DELETE s
