// The latest trajectories whose answer a person found good, with the passages that the answer cites.
MATCH (t:ClewTrajectory {kb: $kb})
WHERE t.answered AND t.rating > 0
RETURN t.id AS id, t.question AS question, t.answer AS answer,
       COLLECT {
         MATCH (t)-[:CITES]->(c:ClewChunk)<-[:HAS_CHUNK]-(d:ClewDocument)
         RETURN DISTINCT {title: d.title, text: c.text} LIMIT 8
       } AS supporting
ORDER BY t.created DESC
LIMIT $limit
