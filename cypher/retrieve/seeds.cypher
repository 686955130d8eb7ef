// Where the walks of a batch of questions begin: their nearest chunks, and their $near nearest hyperedges, where that is
// not 0; and the version of the knowledge base, by which a copy of its graph is known to be old.
// Of some documents ($only) each of theirs is compared, so that none is missed.
MATCH (k:ClewKnowledgeBase {name: $kb})
UNWIND range(0, size($queries) - 1) AS i
CALL (i) {
  WHEN $near = 0 THEN {
    RETURN [] AS similar
  } WHEN $only IS NULL THEN {
    MATCH (h:ClewHyperedge)
    SEARCH h IN (VECTOR INDEX clew_hyperedge_embedding FOR $queries[i] WHERE h.kb = $kb LIMIT $near) SCORE AS score
    RETURN collect([h.id, 2 * score - 1]) AS similar
  } ELSE {
    UNWIND $only AS id
    MATCH (:ClewDocument {id: id, kb: $kb})-[:HAS_CHUNK]->(:ClewChunk)-[:STATES]->(h:ClewHyperedge)
    WITH DISTINCT h
    WITH h, vector.similarity.cosine(h.embedding, $queries[i]) AS score
    ORDER BY score DESC, h.id LIMIT $near
    RETURN collect([h.id, 2 * score - 1]) AS similar
  }
}
CALL (i) {
  WHEN $only IS NULL THEN {
    MATCH (c:ClewChunk)
    SEARCH c IN (VECTOR INDEX clew_chunk_embedding FOR $queries[i] WHERE c.kb = $kb LIMIT $passages) SCORE AS score
    RETURN collect([c.id, 2 * score - 1]) AS chunks
  } ELSE {
    UNWIND $only AS id
    MATCH (:ClewDocument {id: id, kb: $kb})-[:HAS_CHUNK]->(c:ClewChunk)
    WITH c, vector.similarity.cosine(c.embedding, $queries[i]) AS score
    ORDER BY score DESC, c.id LIMIT $passages
    RETURN collect([c.id, 2 * score - 1]) AS chunks
  }
}
RETURN i, k.version AS version, similar, chunks
