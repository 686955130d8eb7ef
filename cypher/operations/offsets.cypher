// A page of documents with their texts, and all that says where in them it is.
MATCH (d:ClewDocument)
WHERE d.kb = $kb AND d.id > $after
WITH d ORDER BY d.id LIMIT $limit
RETURN d.id AS id, d.title AS title, d.text AS text, d.status AS status, COLLECT {
  MATCH (d)-[:HAS_CHUNK]->(c:ClewChunk)
  RETURN {
    id: c.id, index: c.index, text: c.text, start: c.start, end: c.end,
    states: COLLECT {
      MATCH (c)-[s:STATES]->(h:ClewHyperedge)
      RETURN {id: elementId(s), start: s.start, end: s.end, text: h.text, lead: h.lead, origin: h.origin}
    }
  } ORDER BY c.index
} AS chunks
