// A page of hyperedges with who takes part in them, and how.
MATCH (h:ClewHyperedge {kb: $kb})
WHERE h.id > $after
WITH h ORDER BY h.id LIMIT $limit
RETURN h.id AS id, COLLECT { MATCH (h)-[r:CONNECTS]->(e:ClewEntity) RETURN [e.id, r.role] ORDER BY e.id } AS participants
