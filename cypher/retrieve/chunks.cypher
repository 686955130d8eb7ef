// The chunks nearest to each query vector: of all documents by the index, of some ($only) by comparing with each.
UNWIND range(0, size($queries) - 1) AS i
CALL (i) {
  WHEN $only IS NULL THEN {
    MATCH (c:ClewChunk)
    SEARCH c IN (VECTOR INDEX clew_chunk_embedding FOR $queries[i] WHERE c.kb = $kb LIMIT $limit) SCORE AS score
    RETURN c, score
  } ELSE {
    UNWIND $only AS id
    MATCH (:ClewDocument {id: id, kb: $kb})-[:HAS_CHUNK]->(c:ClewChunk)
    WITH c, vector.similarity.cosine(c.embedding, $queries[i]) AS score
    ORDER BY score DESC, c.id LIMIT $limit
    RETURN c, score
  }
}
MATCH (d:ClewDocument)-[:HAS_CHUNK]->(c)
RETURN i, 2 * score - 1 AS similarity, d.id AS document, d.title AS title, d.pages AS pages,
       c.id AS chunk, c.text AS text, c.start AS chunk_start, c.end AS chunk_end,
       c.section AS section, c.blocks AS blocks, d.metadata AS metadata
ORDER BY i, similarity DESC, chunk
