UNWIND $rows AS row
CREATE (n:ClewTrajectory:Trajectory)
SET n = row.properties
WITH n, row
CALL (n, row) {
  UNWIND row.steps AS step
  CREATE (n)-[:STEP {index: step.index}]->(s:ClewStep:Step)
  SET s = step.properties
  WITH s, step
  UNWIND step.retrieved AS end
  MATCH (h:ClewHyperedge {id: end[0], kb: $kb})
  CREATE (s)-[r:RETRIEVED]->(h)
  SET r = end[1]
}
CALL (n, row) {
  UNWIND row.cites AS end
  MATCH (c:ClewChunk {id: end[0], kb: $kb})
  CREATE (n)-[r:CITES]->(c)
  SET r = end[1]
}
