// The chunks that unanswered questions came over, with how many of them did.
MATCH (t:Trajectory {kb: $kb})
WHERE NOT t.answered
MATCH (t)-[:STEP]->(:Step)-[:RETRIEVED]->(:Hyperedge)<-[:STATES]-(c:Chunk)
RETURN c.id AS id, count(DISTINCT t) AS failures
