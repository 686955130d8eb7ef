// The chunks that unanswered questions came over, with how many of them did.
MATCH (t:ClewTrajectory {kb: $kb})
WHERE NOT t.answered
MATCH (t)-[:STEP]->(:ClewStep)-[:RETRIEVED]->(:ClewHyperedge)<-[:STATES]-(c:ClewChunk)
RETURN c.id AS id, count(DISTINCT t) AS failures
