// Nodes whose vector is missing, has another size, is not finite or is not of unit length.
CALL () {
  MATCH (n:ClewChunk {kb: $kb}) RETURN n, 'Chunk' AS label
  UNION ALL
  MATCH (n:ClewHyperedge {kb: $kb}) RETURN n, 'Hyperedge' AS label
  UNION ALL
  MATCH (n:ClewEntity {kb: $kb}) RETURN n, 'Entity' AS label
}
WITH n, label
WHERE n.embedding IS NULL OR size(n.embedding) <> $dimensions
   OR NOT abs(reduce(sum = 0.0, x IN n.embedding | sum + x * x) - 1) < 0.02
RETURN n.id AS id, label LIMIT $limit
