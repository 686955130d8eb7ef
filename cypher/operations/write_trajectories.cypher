UNWIND $rows AS row
CREATE (n:Trajectory)
SET n = row.properties
WITH n, row
CALL (n, row) {
  UNWIND row.steps AS step
  CREATE (n)-[:STEP {index: step.index}]->(s:Step)
  SET s = step.properties
  WITH s, step
  UNWIND step.retrieved AS end
  MATCH (h:Hyperedge {id: end[0], kb: $kb})
  CREATE (s)-[r:RETRIEVED]->(h)
  SET r = end[1]
}
CALL (n, row) {
  UNWIND row.cites AS end
  MATCH (c:Chunk {id: end[0], kb: $kb})
  CREATE (n)-[r:CITES]->(c)
  SET r = end[1]
}
