// A statement a label: with the label as a parameter, no index would give the next page.
MATCH (n:ClewEntity)
WHERE n.kb = $kb AND n.id > $after AND n.embedding IS NOT NULL
WITH n ORDER BY n.id LIMIT $limit
RETURN n.id AS id, vector(n.embedding, size(n.embedding), FLOAT32) AS embedding
