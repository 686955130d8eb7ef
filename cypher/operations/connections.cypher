// A page of documents that one extractor has read, and who takes part in what their chunks state in their own words.
MATCH (d:ClewDocument)
WHERE d.kb = $kb AND d.id > $after AND d.recipe STARTS WITH $recipe AND d.status <> 'partial'
WITH d ORDER BY d.id LIMIT $limit
RETURN d.id AS id, d.title AS title, d.source AS source, d.text AS text, d.blocks AS blocks, COLLECT {
  MATCH (d)-[:HAS_CHUNK]->(c:ClewChunk)
  RETURN {
    id: c.id, index: c.index, text: c.text, start: c.start, end: c.end,
    facts: COLLECT {
      MATCH (c)-[:STATES]->(h:ClewHyperedge)
      WHERE h.origin IS NULL
      RETURN DISTINCT {
        id: h.id, elsewhere: COUNT { (h)<-[:STATES]-() } > 1,
        entities: COLLECT { MATCH (h)-[r:CONNECTS]->(e) WHERE r.role <> 'link' RETURN e.id }
      }
    }
  }
} AS chunks
