// What the vectors of nodes are made from.
UNWIND $ids AS id
CALL (id) {
  MATCH (d:ClewDocument)-[:HAS_CHUNK]->(n:ClewChunk {id: id, kb: $kb}) RETURN d.title + '\n' + n.text AS text, 'Chunk' AS label
  UNION ALL
  MATCH (n:ClewHyperedge {id: id, kb: $kb}) RETURN n.text AS text, 'Hyperedge' AS label
  UNION ALL
  MATCH (n:ClewEntity {id: id, kb: $kb}) RETURN n.key AS text, 'Entity' AS label
}
RETURN id, text, label
