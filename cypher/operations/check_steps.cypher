// Steps of no trajectory.
MATCH (n:ClewStep {kb: $kb})
WHERE NOT EXISTS { (:ClewTrajectory)-[:STEP]->(n) }
RETURN n.id AS id LIMIT $limit
