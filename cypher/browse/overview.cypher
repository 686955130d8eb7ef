// Overview: the facts that tie the best connected entities together.
// Parameters, each of which may be null: kb
WITH $kb AS kb
MATCH (k:ClewKnowledgeBase) WHERE kb IS NULL OR k.name = kb
WITH k ORDER BY k.name LIMIT 1
MATCH (e:ClewEntity {kb: k.name})
WHERE e.degree > 0
WITH e ORDER BY e.degree DESC LIMIT 12
WITH collect(e) AS hubs
UNWIND hubs AS hub
MATCH (h:ClewHyperedge)-[:CONNECTS]->(hub)
WITH h, count(hub) AS shared
ORDER BY shared DESC, h.id LIMIT 12
MATCH path = (h)-[:CONNECTS]->(:ClewEntity)
RETURN path
