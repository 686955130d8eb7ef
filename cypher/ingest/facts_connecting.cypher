UNWIND $entities AS id
MATCH (h:Hyperedge)-[:CONNECTS]->(:Entity {id: id})
WITH DISTINCT h
RETURN h.id AS id, h.text AS text, h.lead AS lead, [(h)-[r:CONNECTS]->(e) WHERE r.role = 'link' | e.key] AS links
