// A page of documents with all that is known of them.
MATCH (n:ClewDocument)
WHERE n.kb = $kb AND n.id > $after
WITH n ORDER BY n.id LIMIT $limit
RETURN n.id AS id, n {.*} AS properties
