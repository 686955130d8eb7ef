// The dual path as in Graph-R1's released code: the facts around the nearest entities come in the order of the summed
// degrees of their entities, whichever entity brought them.
UNWIND range(0, size($queries) - 1) AS i
CALL (i) {
  MATCH (e:Entity)
  SEARCH e IN (VECTOR INDEX entity_embedding FOR $entities[i] WHERE e.kb = $kb LIMIT $k_v) SCORE AS score
  WITH collect(e) AS nearest
  UNWIND nearest AS e
  MATCH (e) (()-[:SAME_AS]-()){0,} (same)<-[:CONNECTS]-(h:Hyperedge)
  WITH DISTINCT h
  MATCH (h)-[:CONNECTS]->(other:Entity)
  WITH h, sum(other.degree) AS degrees
  ORDER BY degrees DESC, h.id
  RETURN collect(h) AS around
}
CALL (i) {
  MATCH (h:Hyperedge)
  SEARCH h IN (VECTOR INDEX hyperedge_embedding FOR $queries[i] WHERE h.kb = $kb LIMIT $k_h) SCORE AS score
  WITH h ORDER BY score DESC, h.id
  RETURN collect(h) AS near
}
CALL (around, near) {
  UNWIND range(0, size(around) - 1) AS r
  WITH around[r] AS h, r
  WHERE r < $limit OR h IN near
  RETURN h, r + 1 AS rank, 'entities' AS path
  UNION ALL
  UNWIND range(0, size(near) - 1) AS r
  RETURN near[r] AS h, r + 1 AS rank, 'hyperedges' AS path
}
WITH i, h, collect({path: path, rank: rank}) AS ranks
CALL (h) {
  MATCH (d:Document)-[:HAS_CHUNK]->(c:Chunk)-[s:STATES]->(h)
  WITH d, c, s ORDER BY d.id, s.start LIMIT 3
  RETURN collect({
    document: d.id, title: d.title, pages: d.pages, start: s.start, end: s.end,
    chunk: c.id, text: c.text, chunk_start: c.start, chunk_end: c.end
  }) AS sources
}
RETURN i, ranks, h.id AS id, h.text AS text, [(h)-[:CONNECTS]->(e:Entity) | e.name] AS entities, sources
