// The cosine of each query's entities to the vector of the names in that query.
UNWIND range(0, size($names) - 1) AS i
CALL (i) {
  UNWIND $entities[i] AS id
  MATCH (e:ClewEntity {id: id})
  RETURN collect([id, 2 * vector.similarity.cosine(e.embedding, $names[i]) - 1]) AS cosines
}
RETURN i, cosines
