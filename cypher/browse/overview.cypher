// Overview: the facts that tie the best connected entities together.
MATCH (e:Entity {kb: $kb})
WITH e ORDER BY e.degree DESC, e.id LIMIT 12
WITH collect(e) AS hubs
UNWIND hubs AS hub
MATCH (h:Hyperedge)-[:CONNECTS]->(hub)
WITH h, count(hub) AS shared
ORDER BY shared DESC, h.id LIMIT 12
MATCH path = (h)-[:CONNECTS]->(:Entity)
RETURN path
