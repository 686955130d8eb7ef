// The hyperedges nearest to each query vector.
UNWIND range(0, size($queries) - 1) AS i
CALL (i) {
  MATCH (h:Hyperedge)
  SEARCH h IN (VECTOR INDEX hyperedge_embedding FOR $queries[i] WHERE h.kb = $kb LIMIT $candidates) SCORE AS score
  RETURN h, 2 * score - 1 AS similarity
  ORDER BY similarity DESC, h.id
  LIMIT $limit
}
CALL (h) {
  MATCH (d:Document)-[:HAS_CHUNK]->(c:Chunk)-[s:STATES]->(h)
  WITH d, c, s ORDER BY d.id, s.start LIMIT 3
  RETURN collect({
    document: d.id, title: d.title, pages: d.pages, start: s.start, end: s.end,
    chunk: c.id, text: c.text, chunk_start: c.start, chunk_end: c.end
  }) AS sources
}
RETURN i, similarity, h.id AS id, h.text AS text, [(h)-[:CONNECTS]->(e:Entity) | e.name] AS entities, sources
ORDER BY i, similarity DESC, id
