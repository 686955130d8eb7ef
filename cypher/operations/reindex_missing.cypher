// What has no vector of this encoder yet, with what its vector is made from.
CALL () {
  MATCH (d:ClewDocument)-[:HAS_CHUNK]->(n:ClewChunk {kb: $kb}) WHERE n.embedding IS NULL
  RETURN n.id AS id, d.title + '\n' + n.text AS text, 'Chunk' AS label LIMIT $limit
  UNION ALL
  MATCH (n:ClewHyperedge {kb: $kb}) WHERE n.embedding IS NULL
  RETURN n.id AS id, n.text AS text, 'Hyperedge' AS label LIMIT $limit
  UNION ALL
  MATCH (n:ClewEntity {kb: $kb}) WHERE n.embedding IS NULL
  RETURN n.id AS id, n.key AS text, 'Entity' AS label LIMIT $limit
}
RETURN id, text, label LIMIT $limit
