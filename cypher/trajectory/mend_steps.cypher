// Ties the steps that lost hyperedges to those of them that are there again; what is whole is marked no longer.
MATCH (s:ClewStep {kb: $kb, torn: true})
CALL (s) {
  UNWIND range(0, size(s.retrieved) - 1) AS i
  MATCH (h:ClewHyperedge {id: s.retrieved[i]})
  WHERE NOT EXISTS { (s)-[:RETRIEVED]->(h) }
  CREATE (s)-[:RETRIEVED {rank: i + 1, score: s.scores[i], path: s.paths[i]}]->(h)
}
WITH s
WHERE COUNT { (s)-[:RETRIEVED]->() } = size(s.retrieved)
REMOVE s.torn
