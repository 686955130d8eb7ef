UNWIND range(0, size($queries) - 1) AS i
CALL (i) {
  MATCH (n:IndexTrial)
  SEARCH n IN (VECTOR INDEX index_trial FOR $queries[i] WHERE n.kb = $kb LIMIT $limit) SCORE AS score
  RETURN n.id AS id
}
RETURN i, id
