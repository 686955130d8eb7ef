// Documents whose ingest was begun and not finished.
MATCH (n:ClewDocument {kb: $kb})
WHERE n.status <> 'ready'
RETURN n.id AS id, n.title AS shown, n.status AS status LIMIT $limit
