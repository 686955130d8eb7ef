// The latest trajectories that a person found right or corrected, with the passages that their answers cite.
MATCH (t:Trajectory {kb: $kb})
WHERE t.feedback IN $approving OR t.correction IS NOT NULL
RETURN t.id AS id, t.question AS question, coalesce(t.correction, t.answer) AS answer,
       COLLECT { MATCH (t)-[:CITES]->(c:Chunk)<-[:HAS_CHUNK]-(d:Document)
                 RETURN DISTINCT {title: d.title, text: c.text} LIMIT 8 } AS supporting
ORDER BY t.created DESC
LIMIT $limit
