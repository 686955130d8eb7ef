MATCH (t:ClewTrajectory {kb: $kb})
OPTIONAL MATCH (t)-[:STEP]->(s:ClewStep)
DETACH DELETE s, t
