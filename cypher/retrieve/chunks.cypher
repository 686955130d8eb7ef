// The chunks nearest to each query vector.
UNWIND range(0, size($queries) - 1) AS i
CALL (i) {
  MATCH (c:Chunk)
  SEARCH c IN (VECTOR INDEX chunk_embedding FOR $queries[i] WHERE c.kb = $kb LIMIT $limit) SCORE AS score
  MATCH (d:Document)-[:HAS_CHUNK]->(c)
  RETURN c, d, 2 * score - 1 AS similarity
}
RETURN i, similarity, d.id AS document, d.title AS title, d.pages AS pages,
       c.id AS chunk, c.text AS text, c.start AS chunk_start, c.end AS chunk_end
ORDER BY i, similarity DESC, chunk
