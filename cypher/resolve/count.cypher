// How many suggestions are open, pairs are merged, and pairs were refused.
CALL () {
  MATCH (a:ClewEntity {kb: $kb})-[:MAYBE_SAME_AS]->(b:ClewEntity)
  WHERE NOT EXISTS { (a)-[:DIFFERENT_FROM]-(b) } AND NOT EXISTS { (a) (()-[:SAME_AS]-()){1,} (b) }
  RETURN count(*) AS suggestions
}
CALL () {
  MATCH (:ClewEntity {kb: $kb})-[r:SAME_AS]->()
  RETURN count(r) AS merges
}
CALL () {
  MATCH (:ClewEntity {kb: $kb})-[r:DIFFERENT_FROM]->()
  RETURN count(r) AS refusals
}
RETURN suggestions, merges, refusals
