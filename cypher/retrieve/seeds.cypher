// Where the walks of a batch of questions begin: their nearest hyperedges by vector and by words, and their nearest
// chunks; and the version of the knowledge base, by which a copy of its graph is known to be old.
MATCH (k:KnowledgeBase {name: $kb})
UNWIND range(0, size($queries) - 1) AS i
CALL (i) {
  MATCH (h:Hyperedge)
  SEARCH h IN (VECTOR INDEX hyperedge_embedding FOR $queries[i] WHERE h.kb = $kb LIMIT $near) SCORE AS score
  RETURN collect([h.id, 2 * score - 1]) AS similar
}
CALL (i) {
  CALL db.index.fulltext.queryNodes('hyperedge_words', $words[i], {limit: $near}) YIELD node, score
  RETURN collect([node.id, score]) AS worded
}
CALL (i) {
  MATCH (c:Chunk)
  SEARCH c IN (VECTOR INDEX chunk_embedding FOR $queries[i] WHERE c.kb = $kb LIMIT $passages) SCORE AS score
  RETURN collect([c.id, 2 * score - 1]) AS chunks
}
RETURN i, k.version AS version, similar, worded, chunks
