MATCH (d:ClewDocument {kb: $kb})
RETURN d.id AS id, d.title AS title, d.source AS source, d.locator AS locator, d.media_type AS media_type,
       d.metadata AS metadata,
       size(d.text) AS characters, COUNT { (d)-[:HAS_CHUNK]->() } AS chunks, d.status AS status
ORDER BY toLower(d.title), d.title, d.id
SKIP $skip LIMIT $limit
