// Shared: the facts that two entities share, or that an entity shares with the one it shares most with.
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
MATCH (a)<-[:CONNECTS]-(h:ClewHyperedge)-[:CONNECTS]->(b:ClewEntity)
WHERE b <> a AND (second IS NULL OR second = b.id OR toLower(second) = b.key)
WITH a, b, collect(DISTINCT h) AS facts
ORDER BY size(facts) DESC, b.id LIMIT 1
UNWIND facts[..20] AS h
MATCH path = (a)<-[:CONNECTS]-(h)-[:CONNECTS]->(b)
RETURN path
