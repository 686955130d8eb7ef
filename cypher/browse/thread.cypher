// Thread: a shortest way from one entity to another, over the facts that they take part in.
// Parameters, each of which may be null: kb, first, second (names or ids)
WITH $kb AS kb, $first AS first, $second AS second
MATCH (k:ClewKnowledgeBase) WHERE kb IS NULL OR k.name = kb
WITH k, first, second ORDER BY k.name LIMIT 1
CALL (k, first, second) {
  MATCH (a:ClewEntity {kb: k.name, key: toLower(first)})
  RETURN a
  UNION
  MATCH (a:ClewEntity {kb: k.name, id: first})
  RETURN a
  UNION
  WITH * WHERE first IS NULL
  MATCH (a:ClewEntity {kb: k.name})
  WHERE a.degree > 0 AND a.page
  RETURN a
  ORDER BY a.degree DESC LIMIT 1
}
CALL (k, a, second) {
  MATCH (b:ClewEntity {kb: k.name, key: toLower(second)})
  RETURN b
  UNION
  MATCH (b:ClewEntity {kb: k.name, id: second})
  RETURN b
  UNION
  WITH * WHERE second IS NULL
  MATCH (a)<-[:CONNECTS]-(:ClewHyperedge)-[:CONNECTS]->(:ClewEntity)<-[:CONNECTS]-(:ClewHyperedge)-[:CONNECTS]->(b:ClewEntity)
  WHERE b <> a AND NOT EXISTS { (a)<-[:CONNECTS]-(:ClewHyperedge)-[:CONNECTS]->(b) }
  RETURN b
  LIMIT 1
}
MATCH path = shortestPath((a)-[:CONNECTS*..12]-(b))
RETURN path
LIMIT 1
