CREATE (t:Trajectory {id: $trajectory.id})
SET t += $trajectory, t.created = datetime()
WITH t
CALL (t) {
  UNWIND $steps AS row
  CREATE (t)-[:STEP {index: row.index}]->(s:Step {id: row.properties.id})
  SET s += row.properties
  WITH s, row
  UNWIND row.facts AS found
  MATCH (h:Hyperedge {id: found.id})
  CREATE (s)-[:RETRIEVED {rank: found.rank, score: found.score, path: found.path}]->(h)
}
CALL (t) {
  UNWIND $citations AS row
  MATCH (:Document {id: row.document})-[:HAS_CHUNK]->(c:Chunk)
  WHERE c.start <= row.start AND row.end <= c.end
  CREATE (t)-[:CITES {start: row.start, end: row.end}]->(c)
}
