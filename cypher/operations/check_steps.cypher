// Steps of no trajectory.
MATCH (n:Step {kb: $kb})
WHERE NOT EXISTS { (:Trajectory)-[:STEP]->(n) }
RETURN n.id AS id LIMIT $limit
