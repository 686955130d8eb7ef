// What was there when its vector was left out of the batch, and has been deleted by someone else since.
UNWIND $rows AS row
CALL (row) {
  WITH row WHERE row.label = 'Chunk' MATCH (n:Chunk {id: row.id}) WHERE n.embedding IS NULL RETURN n.id AS id
  UNION ALL
  WITH row WHERE row.label = 'Hyperedge' MATCH (n:Hyperedge {id: row.id}) WHERE n.embedding IS NULL RETURN n.id AS id
  UNION ALL
  WITH row WHERE row.label = 'Entity' MATCH (n:Entity {id: row.id}) WHERE n.embedding IS NULL RETURN n.id AS id
}
RETURN id
