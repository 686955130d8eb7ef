MATCH (d:ClewDocument {kb: $kb})
RETURN d.id AS id, d.title AS title
