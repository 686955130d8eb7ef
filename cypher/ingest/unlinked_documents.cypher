MATCH (d:ClewDocument {kb: $kb, status: 'unlinked'})
RETURN d.id AS id, d.title_key AS title_key, d.sha256 AS sha256
LIMIT $limit
