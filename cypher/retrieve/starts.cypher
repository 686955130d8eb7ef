// Where searches of the graph begin: of each query the nearest entities (to the vector of its names), hyperedges (to
// that of what it asks for) and chunks; and the version of the knowledge base, by which a copy of its graph is known
// to be old. Of some documents ($only) each of theirs is compared, so that none is missed.
MATCH (k:ClewKnowledgeBase {name: $kb})
UNWIND range(0, size($queries) - 1) AS i
CALL (i) {
  WHEN $only IS NULL THEN {
    MATCH (e:ClewEntity)
    SEARCH e IN (VECTOR INDEX clew_entity_embedding FOR $names[i] WHERE e.kb = $kb LIMIT $entities) SCORE AS score
    WITH e, score ORDER BY score DESC, e.id
    RETURN collect([e.id, 2 * score - 1]) AS entities
  } ELSE {
    UNWIND $only AS id
    MATCH (:ClewDocument {id: id, kb: $kb})-[:HAS_CHUNK]->(:ClewChunk)-[:STATES]->(:ClewHyperedge)-[:CONNECTS]->(e:ClewEntity)
    WITH DISTINCT e
    WITH e, vector.similarity.cosine(e.embedding, $names[i]) AS score
    ORDER BY score DESC, e.id LIMIT $entities
    RETURN collect([e.id, 2 * score - 1]) AS entities
  }
}
CALL (i) {
  WHEN $only IS NULL THEN {
    MATCH (h:ClewHyperedge)
    SEARCH h IN (VECTOR INDEX clew_hyperedge_embedding FOR $relations[i] WHERE h.kb = $kb LIMIT $hyperedges) SCORE AS score
    WITH h, score ORDER BY score DESC, h.id
    RETURN collect([h.id, 2 * score - 1]) AS hyperedges
  } ELSE {
    UNWIND $only AS id
    MATCH (:ClewDocument {id: id, kb: $kb})-[:HAS_CHUNK]->(:ClewChunk)-[:STATES]->(h:ClewHyperedge)
    WITH DISTINCT h
    WITH h, vector.similarity.cosine(h.embedding, $relations[i]) AS score
    ORDER BY score DESC, h.id LIMIT $hyperedges
    RETURN collect([h.id, 2 * score - 1]) AS hyperedges
  }
}
CALL (i) {
  WHEN $only IS NULL THEN {
    MATCH (c:ClewChunk)
    SEARCH c IN (VECTOR INDEX clew_chunk_embedding FOR $queries[i] WHERE c.kb = $kb LIMIT $chunks) SCORE AS score
    WITH c, score ORDER BY score DESC, c.id
    RETURN collect([c.id, 2 * score - 1]) AS chunks
  } ELSE {
    UNWIND $only AS id
    MATCH (:ClewDocument {id: id, kb: $kb})-[:HAS_CHUNK]->(c:ClewChunk)
    WITH c, vector.similarity.cosine(c.embedding, $queries[i]) AS score
    ORDER BY score DESC, c.id LIMIT $chunks
    RETURN collect([c.id, 2 * score - 1]) AS chunks
  }
}
RETURN i, k.version AS version, entities, hyperedges, chunks
