// A page of the documents whose title, source or metadata hold a text: by title, the newest or the largest first.
MATCH (d:ClewDocument {kb: $kb})
WHERE $text = '' OR toLower(d.title + '\n' + d.source + '\n' + coalesce(d.metadata, '')) CONTAINS $text
WITH d, size(d.text) AS characters
ORDER BY CASE $order WHEN 'newest' THEN -d.at.epochMillis WHEN 'largest' THEN -characters ELSE toLower(d.title) END,
         d.title, d.id
SKIP $skip LIMIT $limit
RETURN d.id AS id, d.title AS title, d.source AS source, d.locator AS locator, d.media_type AS media_type,
       d.metadata AS metadata, characters, COUNT { (d)-[:HAS_CHUNK]->() } AS chunks, d.status AS status,
       COUNT { (d)-[:HAS_CHUNK]->()-[:STATES]->() } AS facts, toString(d.at) AS at
