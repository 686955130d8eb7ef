// The entities whose names mean nearly the same as those of these entities, by the vector index.
UNWIND range(0, size($ids) - 1) AS i
MATCH (e:ClewEntity {id: $ids[i]})
CALL (e) {
  MATCH (x:ClewEntity)
  SEARCH x IN (VECTOR INDEX clew_entity_embedding FOR e.embedding WHERE x.kb = $kb LIMIT $limit) SCORE AS score
  WITH x, 2 * score - 1 AS similarity
  WHERE x <> e AND similarity >= $least
  RETURN collect([x.id, similarity]) AS near
}
WITH i, near WHERE size(near) > 0
RETURN i, near
