MATCH (:KnowledgeBase {name: $trajectory.kb})
CREATE (t:Trajectory {id: $trajectory.id})
SET t += $trajectory, t.created = datetime()
WITH t
CALL (t) {
  UNWIND $steps AS row
  CREATE (t)-[:STEP {index: row.index}]->(s:Step {id: row.properties.id})
  SET s += row.properties
  WITH s
  UNWIND range(0, size(s.retrieved) - 1) AS i
  MATCH (h:Hyperedge {id: s.retrieved[i]})
  CREATE (s)-[:RETRIEVED {rank: i + 1, score: s.scores[i], path: s.paths[i]}]->(h)
}
CALL (t) {
  UNWIND $citations AS row
  MATCH (:Document {id: row.document})-[:HAS_CHUNK]->(c:Chunk)
  WHERE c.start <= row.start AND row.end <= c.end
  CREATE (t)-[:CITES {start: row.start, end: row.end}]->(c)
}
