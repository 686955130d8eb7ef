MATCH (h:ClewHyperedge {kb: $kb})
WHERE h.id > $after
WITH h ORDER BY h.id LIMIT $limit
RETURN h.id AS id
