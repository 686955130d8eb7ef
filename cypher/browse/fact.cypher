// Fact: who takes part in one fact, with which role, and the passages that state it.
// Parameters, each of which may be null: kb, fact (id)
WITH $kb AS kb, $fact AS fact
MATCH (k:ClewKnowledgeBase) WHERE kb IS NULL OR k.name = kb
WITH k, fact ORDER BY k.name LIMIT 1
CALL (k, fact) {
  WITH * WHERE fact IS NULL
  MATCH (h:ClewHyperedge {kb: k.name})
  RETURN h
  LIMIT 1
  UNION
  MATCH (h:ClewHyperedge {id: fact, kb: k.name})
  RETURN h
}
MATCH connected = (h)-[:CONNECTS]->(:ClewEntity)
MATCH stated = (:ClewDocument)-[:HAS_CHUNK]->(:ClewChunk)-[:STATES]->(h)
RETURN connected, stated
