MATCH (h:Hyperedge {kb: $kb})
WHERE h.id > $after
WITH h ORDER BY h.id LIMIT $limit
RETURN h.id AS id, h.text AS text, h.lead AS lead, [(h)-[r:CONNECTS]->(e) WHERE r.role = 'link' | e.key] AS links
