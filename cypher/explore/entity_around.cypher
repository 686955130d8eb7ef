// Who an entity shares most hyperedges with, and the documents that state most of its hyperedges.
CALL () {
  MATCH (e:ClewEntity {id: $id, kb: $kb})<-[:CONNECTS]-(h:ClewHyperedge)-[:CONNECTS]->(other:ClewEntity)
  WHERE other <> e
  WITH other, count(DISTINCT h) AS facts
  ORDER BY facts DESC, other.degree, other.id LIMIT $limit
  RETURN collect({id: other.id, name: other.name, facts: facts}) AS neighbours
}
CALL () {
  MATCH (:ClewEntity {id: $id, kb: $kb})<-[:CONNECTS]-(h:ClewHyperedge)<-[:STATES]-(:ClewChunk)<-[:HAS_CHUNK]-(d:ClewDocument)
  WITH d, count(DISTINCT h) AS facts
  ORDER BY facts DESC, d.title, d.id LIMIT $limit
  RETURN collect({id: d.id, title: d.title, facts: facts}) AS documents
}
RETURN neighbours, documents
