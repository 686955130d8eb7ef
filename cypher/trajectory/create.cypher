MATCH (:ClewKnowledgeBase {name: $trajectory.kb})
CREATE (t:ClewTrajectory:Trajectory {id: $trajectory.id})
SET t += $trajectory, t.created = datetime()
WITH t
CALL (t) {
  UNWIND $steps AS row
  CREATE (t)-[:STEP {index: row.index}]->(s:ClewStep:Step {id: row.properties.id})
  SET s += row.properties
  WITH s
  UNWIND range(0, size(s.retrieved) - 1) AS i
  MATCH (h:ClewHyperedge {id: s.retrieved[i]})
  CREATE (s)-[:RETRIEVED {rank: i + 1, score: s.scores[i], path: s.paths[i]}]->(h)
}
CALL (t) {
  UNWIND $citations AS row
  MATCH (:ClewDocument {id: row.document})-[:HAS_CHUNK]->(c:ClewChunk)
  WHERE c.start <= row.start AND row.end <= c.end
  CREATE (t)-[:CITES {start: row.start, end: row.end}]->(c)
}
