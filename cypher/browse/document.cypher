// Document: one document, the facts that it states and the entities they connect.
// Parameters, each of which may be null: kb, document (title or id)
WITH $kb AS kb, $document AS document
MATCH (k:ClewKnowledgeBase) WHERE kb IS NULL OR k.name = kb
WITH k, document ORDER BY k.name LIMIT 1
CALL (k, document) {
  WITH * WHERE document IS NULL
  MATCH (d:ClewDocument {kb: k.name})
  RETURN d
  LIMIT 1
  UNION
  MATCH (d:ClewDocument {id: document, kb: k.name})
  RETURN d
  UNION
  MATCH (d:ClewDocument {kb: k.name})
  WHERE d.title = document
  RETURN d
  ORDER BY d.id LIMIT 1
}
MATCH stated = (d)-[:HAS_CHUNK]->(c:ClewChunk)-[:STATES]->(h:ClewHyperedge)
WITH c, h, stated ORDER BY c.index, h.id LIMIT 12
MATCH connected = (h)-[:CONNECTS]->(:ClewEntity)
RETURN stated, connected
