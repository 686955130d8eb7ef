MATCH (n:$($label) {kb: $kb})
WHERE n.id > $after
WITH n ORDER BY n.id LIMIT $limit
RETURN n.id AS id, n.embedding AS embedding
