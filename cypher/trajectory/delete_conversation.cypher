MATCH (t:ClewTrajectory {kb: $kb})
WHERE coalesce(t.conversation, t.id) = $id
OPTIONAL MATCH (t)-[:STEP]->(s:ClewStep)
DETACH DELETE s, t
