// A page of entities with all that is known of them but their vectors.
MATCH (n:ClewEntity)
WHERE n.kb = $kb AND n.id > $after
WITH n ORDER BY n.id LIMIT $limit
RETURN n.id AS id, n {.*, `embedding`: null, `embedding_2`: null} AS properties
