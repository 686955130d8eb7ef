// The hyperedges nearest to each query vector: of all documents by the index, of some ($only) by comparing with each.
UNWIND range(0, size($queries) - 1) AS i
CALL (i) {
  WHEN $only IS NULL THEN {
    MATCH (h:ClewHyperedge)
    SEARCH h IN (VECTOR INDEX clew_hyperedge_embedding FOR $queries[i] WHERE h.kb = $kb LIMIT $candidates) SCORE AS score
    RETURN h, 2 * score - 1 AS similarity
    ORDER BY similarity DESC, h.id LIMIT $limit
  } ELSE {
    UNWIND $only AS id
    MATCH (:ClewDocument {id: id, kb: $kb})-[:HAS_CHUNK]->(:ClewChunk)-[:STATES]->(h:ClewHyperedge)
    WITH DISTINCT h
    WITH h, vector.similarity.cosine(h.embedding, $queries[i]) AS score
    ORDER BY score DESC, h.id LIMIT $candidates
    RETURN h, 2 * score - 1 AS similarity
    ORDER BY similarity DESC, h.id LIMIT $limit
  }
}
CALL (h) {
  MATCH (d:ClewDocument)-[:HAS_CHUNK]->(c:ClewChunk)-[s:STATES]->(h)
  WHERE $only IS NULL OR d.id IN $only
  WITH d, c, s ORDER BY d.id, s.start LIMIT 3
  RETURN collect({
    document: d.id, title: d.title, pages: d.pages, start: s.start, end: s.end,
    chunk: c.id, text: c.text, chunk_start: c.start, chunk_end: c.end,
    section: c.section, blocks: c.blocks, metadata: d.metadata
  }) AS sources
}
RETURN i, similarity, h.id AS id, h.text AS text, [(h)-[:CONNECTS]->(e:ClewEntity) | e.name] AS entities, sources
ORDER BY i, similarity DESC, id
