MATCH (d:ClewDocument {id: $id, kb: $kb})
RETURN d.id AS id, d.title AS title, d.source AS source, d.locator AS locator, d.media_type AS media_type,
       d.metadata AS metadata,
       d.sha256 AS sha256, d.text AS text, d.pages AS pages, d.blocks AS blocks, d.status AS status,
       COUNT { (d)-[:HAS_CHUNK]->() } AS chunks,
       COUNT { MATCH (d)-[:HAS_CHUNK]->()-[:STATES]->(h) RETURN DISTINCT h } AS hyperedges
