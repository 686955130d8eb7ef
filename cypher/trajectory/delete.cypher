// Delete trajectories by their ids.
MATCH (t:ClewTrajectory {kb: $kb})
WHERE t.id IN $ids
OPTIONAL MATCH (t)-[:STEP]->(s:ClewStep)
DETACH DELETE s, t
