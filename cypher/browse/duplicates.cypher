// Duplicates: entities that are spelt the same but for spaces, each with two of its facts.
// Parameters, each of which may be null: kb
WITH $kb AS kb
MATCH (k:KnowledgeBase) WHERE kb IS NULL OR k.name = kb
WITH k ORDER BY k.name LIMIT 1
MATCH (e:Entity {kb: k.name})
WITH replace(e.key, ' ', '') AS spelling, collect(e) AS entities
WHERE size(entities) > 1
WITH entities, reduce(facts = 0, e IN entities | facts + e.degree) AS facts
ORDER BY facts DESC, entities[0].id LIMIT 6
UNWIND entities AS e
CALL (e) {
  MATCH path = (:Hyperedge)-[:CONNECTS]->(e)
  RETURN path
  LIMIT 2
}
RETURN path
