// The vectors of these nodes.
UNWIND $ids AS id
CALL (id) {
  MATCH (n:ClewChunk {id: id, kb: $kb}) RETURN n, 'Chunk' AS label
  UNION ALL
  MATCH (n:ClewHyperedge {id: id, kb: $kb}) RETURN n, 'Hyperedge' AS label
  UNION ALL
  MATCH (n:ClewEntity {id: id, kb: $kb}) RETURN n, 'Entity' AS label
}
WITH id, n, label
WHERE n.embedding IS NOT NULL
RETURN id, label, vector(n.embedding, size(n.embedding), FLOAT32) AS embedding
