// The dual path as in Graph-R1's released code: around the nearest entities, the edges between entity and hyperedge come
// in the order of the degrees of both, and a hyperedge adds up the reciprocal ranks of all its edges.
UNWIND range(0, size($queries) - 1) AS i
CALL (i) {
  WHEN $only IS NULL THEN {
    MATCH (e:ClewEntity)
    SEARCH e IN (VECTOR INDEX clew_entity_embedding FOR $entities[i] WHERE e.kb = $kb LIMIT $candidates) SCORE AS score
    WITH e ORDER BY score DESC, e.id LIMIT $k_v
    RETURN collect(e) AS nearest
  } ELSE {
    UNWIND $only AS id
    MATCH (:ClewDocument {id: id, kb: $kb})-[:HAS_CHUNK]->(:ClewChunk)-[:STATES]->(:ClewHyperedge)-[:CONNECTS]->(e:ClewEntity)
    WITH DISTINCT e
    WITH e, vector.similarity.cosine(e.embedding, $entities[i]) AS score
    ORDER BY score DESC, e.id LIMIT $k_v
    RETURN collect(e) AS nearest
  }
}
CALL (i, nearest) {
  UNWIND range(0, size(nearest) - 1) AS r
  WITH nearest[r] AS e, r
  MATCH (e) (()-[:SAME_AS]-()){0,} (same)<-[:CONNECTS]-(h:ClewHyperedge)
  WHERE $only IS NULL OR EXISTS { MATCH (d:ClewDocument)-[:HAS_CHUNK]->(:ClewChunk)-[:STATES]->(h) WHERE d.id IN $only }
  WITH DISTINCT e, r, h
  WITH h, r, e.degree + COUNT { (h)-[:CONNECTS]->() } AS degrees
  ORDER BY degrees DESC, r, h.id
  WITH collect(h) AS edges
  UNWIND range(1, size(edges)) AS rank
  WITH edges[rank - 1] AS h, rank
  WITH h, collect(rank) AS ranks, sum(1.0 / rank) AS score
  ORDER BY score DESC, h.id
  RETURN collect({h: h, ranks: ranks}) AS around
}
CALL (i) {
  WHEN $only IS NULL THEN {
    MATCH (h:ClewHyperedge)
    SEARCH h IN (VECTOR INDEX clew_hyperedge_embedding FOR $queries[i] WHERE h.kb = $kb LIMIT $candidates) SCORE AS score
    WITH h ORDER BY score DESC, h.id LIMIT $k_h
    RETURN collect(h) AS near
  } ELSE {
    UNWIND $only AS id
    MATCH (:ClewDocument {id: id, kb: $kb})-[:HAS_CHUNK]->(:ClewChunk)-[:STATES]->(h:ClewHyperedge)
    WITH DISTINCT h
    WITH h, vector.similarity.cosine(h.embedding, $queries[i]) AS score
    ORDER BY score DESC, h.id LIMIT $k_h
    RETURN collect(h) AS near
  }
}
CALL (around, near) {
  UNWIND range(0, size(around) - 1) AS r
  WITH around[r].h AS h, around[r].ranks AS ranks, r
  WHERE r < $limit OR h IN near
  UNWIND ranks AS rank
  RETURN h, rank, 'entities' AS path
  UNION ALL
  UNWIND range(0, size(near) - 1) AS r
  RETURN near[r] AS h, r + 1 AS rank, 'hyperedges' AS path
}
WITH i, h, collect({path: path, rank: rank}) AS ranks
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
RETURN i, ranks, h.id AS id, h.text AS text, [(h)-[:CONNECTS]->(e:ClewEntity) | e.name] AS entities, sources
