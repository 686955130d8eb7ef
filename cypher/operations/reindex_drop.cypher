// Some of the vectors in a slot that is not searched go.
CALL () {
  MATCH (n:ClewChunk {kb: $kb}) WHERE n.embedding IS NOT NULL RETURN n LIMIT $limit
  UNION ALL
  MATCH (n:ClewHyperedge {kb: $kb}) WHERE n.embedding IS NOT NULL RETURN n LIMIT $limit
  UNION ALL
  MATCH (n:ClewEntity {kb: $kb}) WHERE n.embedding IS NOT NULL RETURN n LIMIT $limit
}
WITH n
REMOVE n.embedding
RETURN count(*) AS dropped
