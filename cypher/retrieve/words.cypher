// The hyperedges that share the most telling words with each query (BM25), by the full-text index.
UNWIND range(0, size($words) - 1) AS i
CALL (i) {
  CALL db.index.fulltext.queryNodes('clew_hyperedge_words', $words[i],
       CASE WHEN $only IS NULL THEN {limit: $limit} ELSE {} END) YIELD node AS h, score
  WHERE $only IS NULL OR EXISTS { MATCH (d:ClewDocument)-[:HAS_CHUNK]->(:ClewChunk)-[:STATES]->(h) WHERE d.id IN $only }
  RETURN h, score LIMIT $limit
}
CALL (h) {
  MATCH (d:ClewDocument)-[:HAS_CHUNK]->(c:ClewChunk)-[s:STATES]->(h)
  WHERE $only IS NULL OR d.id IN $only
  WITH d, c, s ORDER BY d.id, s.start LIMIT 3
  RETURN collect({
    document: d.id, title: d.title, pages: d.pages, start: s.start, end: s.end,
    chunk: c.id, text: c.text, chunk_start: c.start, chunk_end: c.end
  }) AS sources
}
RETURN i, score, h.id AS id, h.text AS text, [(h)-[:CONNECTS]->(e:ClewEntity) | e.name] AS entities, sources
ORDER BY i, score DESC, id
