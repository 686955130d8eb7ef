// Duplicates: entities that are spelt the same but for spaces, each with two of its facts.
// Parameters, each of which may be null: kb
WITH $kb AS kb
MATCH (k:ClewKnowledgeBase) WHERE kb IS NULL OR k.name = kb
WITH k ORDER BY k.name LIMIT 1
MATCH (e:ClewEntity {kb: k.name})
WHERE e.key > ''
WITH k, replace(e.key, ' ', '') AS spelling, min(e.key) AS one, max(e.key) AS other
WHERE one <> other
MATCH (a:ClewEntity {kb: k.name, key: one}), (b:ClewEntity {kb: k.name, key: other})
WITH a, b ORDER BY a.degree + b.degree DESC, a.id LIMIT 6
UNWIND [a, b] AS e
CALL (e) {
  MATCH path = (:ClewHyperedge)-[:CONNECTS]->(e)
  RETURN path
  LIMIT 2
}
RETURN path
