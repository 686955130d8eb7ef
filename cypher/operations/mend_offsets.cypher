// Where chunks lie in their documents, and where what they state does.
CALL () {
  UNWIND $chunks AS row
  MATCH (c:ClewChunk {id: row.id, kb: $kb})
  SET c.start = row.start, c.end = row.end
}
CALL () {
  UNWIND $states AS row
  MATCH (:ClewChunk {id: row.chunk, kb: $kb})-[s:STATES]->()
  WHERE elementId(s) = row.id
  SET s.start = row.start, s.end = row.end
}
