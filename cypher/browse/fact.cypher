// Fact: who takes part in one fact, with which role, and the passages that state it.
// Parameters, each of which may be null: kb, fact (id)
WITH $kb AS kb, $fact AS fact
MATCH (k:KnowledgeBase) WHERE kb IS NULL OR k.name = kb
WITH k, fact ORDER BY k.name LIMIT 1
CALL (k, fact) {
  WITH * WHERE fact IS NULL
  MATCH (h:Hyperedge {kb: k.name})
  RETURN h
  LIMIT 1
  UNION
  MATCH (h:Hyperedge {id: fact, kb: k.name})
  RETURN h
}
MATCH connected = (h)-[:CONNECTS]->(:Entity)
MATCH stated = (:Document)-[:HAS_CHUNK]->(:Chunk)-[:STATES]->(h)
RETURN connected, stated
