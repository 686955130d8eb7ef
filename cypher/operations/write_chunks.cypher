UNWIND $rows AS row
CREATE (n:ClewChunk:Chunk)
SET n = row.properties
WITH n, row
CALL (n, row) {
  UNWIND row.documents AS id
  MATCH (d:ClewDocument {id: id, kb: $kb})
  CREATE (d)-[:HAS_CHUNK]->(n)
}
CALL (n, row) {
  UNWIND row.states AS end
  MATCH (h:ClewHyperedge {id: end[0], kb: $kb})
  CREATE (n)-[r:STATES]->(h)
  SET r = end[1]
}
