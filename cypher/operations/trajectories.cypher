// A page of trajectories with their steps, what these retrieved, and what is cited.
MATCH (n:Trajectory)
WHERE n.kb = $kb AND n.id > $after
WITH n ORDER BY n.id LIMIT $limit
RETURN n.id AS id, n {.*} AS properties,
       COLLECT {
         MATCH (n)-[r:STEP]->(s:Step)
         ORDER BY r.index
         RETURN {
           index: r.index, properties: s {.*},
           retrieved: COLLECT { MATCH (s)-[f:RETRIEVED]->(h:Hyperedge) RETURN [h.id, properties(f)] ORDER BY f.rank }
         }
       } AS steps,
       COLLECT { MATCH (n)-[r:CITES]->(c:Chunk) RETURN [c.id, properties(r)] ORDER BY c.id, r.start } AS cites
