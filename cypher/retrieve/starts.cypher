// Where searches of the graph begin: of each query the nearest entities (to the vector of its names), hyperedges (to
// that of what it asks for) and chunks; and the version of the knowledge base, by which a copy of its graph is known
// to be old.
MATCH (k:KnowledgeBase {name: $kb})
UNWIND range(0, size($queries) - 1) AS i
CALL (i) {
  MATCH (e:Entity)
  SEARCH e IN (VECTOR INDEX entity_embedding FOR $names[i] WHERE e.kb = $kb LIMIT $entities) SCORE AS score
  WITH e, score ORDER BY score DESC, e.id
  RETURN collect([e.id, 2 * score - 1]) AS entities
}
CALL (i) {
  MATCH (h:Hyperedge)
  SEARCH h IN (VECTOR INDEX hyperedge_embedding FOR $relations[i] WHERE h.kb = $kb LIMIT $hyperedges) SCORE AS score
  WITH h, score ORDER BY score DESC, h.id
  RETURN collect([h.id, 2 * score - 1]) AS hyperedges
}
CALL (i) {
  MATCH (c:Chunk)
  SEARCH c IN (VECTOR INDEX chunk_embedding FOR $queries[i] WHERE c.kb = $kb LIMIT $chunks) SCORE AS score
  WITH c, score ORDER BY score DESC, c.id
  RETURN collect([c.id, 2 * score - 1]) AS chunks
}
RETURN i, k.version AS version, entities, hyperedges, chunks
