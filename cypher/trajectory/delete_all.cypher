MATCH (t:Trajectory {kb: $kb})
OPTIONAL MATCH (t)-[:STEP]->(s:Step)
DETACH DELETE s, t
