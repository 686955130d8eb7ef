// Documents by title, those whose title or source has the text; their own texts stay where they are.
MATCH (d:ClewDocument {kb: $kb})
WHERE $text = '' OR toLower(d.title + '\n' + d.source) CONTAINS toLower($text)
WITH d ORDER BY d.title, d.id SKIP $skip LIMIT $limit
RETURN d.id AS id, d.title AS title, d.source AS source,
       COUNT { MATCH (d)-[:HAS_CHUNK]->()-[:STATES]->(h) RETURN DISTINCT h } AS facts
