UNWIND $rows AS row
CALL (row) {
  WITH row WHERE row.label = 'Chunk' MATCH (n:ClewChunk {id: row.id}) RETURN n.id AS id
  UNION ALL
  WITH row WHERE row.label = 'Hyperedge' MATCH (n:ClewHyperedge {id: row.id}) RETURN n.id AS id
  UNION ALL
  WITH row WHERE row.label = 'Entity' MATCH (n:ClewEntity {id: row.id}) RETURN n.id AS id
}
RETURN id
