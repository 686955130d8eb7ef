// Most connected: the entities that most facts connect, as a table.
// Parameters, each of which may be null: kb
WITH $kb AS kb
MATCH (k:ClewKnowledgeBase) WHERE kb IS NULL OR k.name = kb
WITH k ORDER BY k.name LIMIT 1
MATCH (e:ClewEntity {kb: k.name})
WHERE e.degree > 0
WITH e ORDER BY e.degree DESC LIMIT 25
MATCH (e)<-[r:CONNECTS]-(h:ClewHyperedge)
RETURN e.name AS entity, count(DISTINCT h) AS facts, collect(DISTINCT r.role) AS roles, e.type AS type, e.id AS id
ORDER BY facts DESC, id
