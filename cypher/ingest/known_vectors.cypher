UNWIND $rows AS row
CALL (row) {
  WITH row WHERE row.label = 'Chunk' MATCH (n:Chunk {id: row.id}) RETURN n.id AS id
  UNION ALL
  WITH row WHERE row.label = 'Hyperedge' MATCH (n:Hyperedge {id: row.id}) RETURN n.id AS id
  UNION ALL
  WITH row WHERE row.label = 'Entity' MATCH (n:Entity {id: row.id}) RETURN n.id AS id
}
RETURN id
