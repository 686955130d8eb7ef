// A page of chunks, with how many facts connect the entity that their own sentences are about.
MATCH (c:ClewChunk {kb: $kb})
WHERE c.id > $after
WITH c ORDER BY c.id LIMIT $limit
MATCH (d:ClewDocument)-[:HAS_CHUNK]->(c)
RETURN c.id AS id, c.text AS text, c.refined AS refined, d.status AS status, COLLECT {
  MATCH (c)-[:STATES]->(h:ClewHyperedge)-[:CONNECTS {role: 'subject'}]->(e:ClewEntity)
  WHERE h.origin IS NULL
  RETURN max(e.degree)
}[0] AS degree
ORDER BY id
