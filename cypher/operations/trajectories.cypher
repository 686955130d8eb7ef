// A page of trajectories with their steps, what these retrieved, and what is cited.
MATCH (n:ClewTrajectory)
WHERE n.kb = $kb AND n.id > $after
WITH n ORDER BY n.id LIMIT $limit
RETURN n.id AS id, n {.*} AS properties,
       COLLECT {
         MATCH (n)-[r:STEP]->(s:ClewStep)
         ORDER BY r.index
         RETURN {
           index: r.index, properties: s {.*},
           retrieved: COLLECT { MATCH (s)-[f:RETRIEVED]->(h:ClewHyperedge) RETURN [h.id, properties(f)] ORDER BY f.rank }
         }
       } AS steps,
       COLLECT { MATCH (n)-[r:CITES]->(c:ClewChunk) RETURN [c.id, properties(r)] ORDER BY c.id, r.start } AS cites
