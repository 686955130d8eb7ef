// Entity: the facts that an entity takes part in, and who else does.
// Parameters, each of which may be null: kb, entity (name or id)
WITH $kb AS kb, $entity AS entity
MATCH (k:ClewKnowledgeBase) WHERE kb IS NULL OR k.name = kb
WITH k, entity ORDER BY k.name LIMIT 1
CALL (k, entity) {
  MATCH (e:ClewEntity {kb: k.name, key: toLower(entity)})
  RETURN e
  UNION
  MATCH (e:ClewEntity {kb: k.name, id: entity})
  RETURN e
  UNION
  WITH * WHERE entity IS NULL
  MATCH (e:ClewEntity {kb: k.name})
  WHERE e.degree > 0 AND e.page
  RETURN e
  ORDER BY e.degree DESC LIMIT 1
}
MATCH (h:ClewHyperedge)-[:CONNECTS]->(e)
WITH h ORDER BY h.id LIMIT 12
MATCH path = (h)-[:CONNECTS]->(:ClewEntity)
RETURN path
