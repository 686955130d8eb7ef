// Where every document comes from, and in which version.
MATCH (d:ClewDocument {kb: $kb})
RETURN d.id AS id, d.source AS source, d.sha256 AS sha256, d.status AS status
ORDER BY d.source, d.id
