// A citation is tied again only where the document still says the same at the same place.
UNWIND $trajectories AS row
MATCH (t:ClewTrajectory {id: row.id})
CALL (t, row) {
  UNWIND row.citations AS cited
  MATCH (d:ClewDocument {id: cited.document})-[:HAS_CHUNK]->(c:ClewChunk)
  WHERE c.start <= cited.start AND cited.end <= c.end
    AND substring(d.text, cited.start, cited.end - cited.start) = cited.quote
    AND NOT EXISTS { (t)-[:CITES {start: cited.start, end: cited.end}]->(c) }
  CREATE (t)-[:CITES {start: cited.start, end: cited.end}]->(c)
}
WITH t, row
WHERE COUNT { (t)-[:CITES]->() } = size(row.citations)
REMOVE t.torn
