// The documents are to be linked again, because the new facts may mention other pages.
UNWIND $chunks AS row
MATCH (d:ClewDocument)-[:HAS_CHUNK]->(c:ClewChunk {id: row.id})
SET c.refined = row.refined, c.model_tokens = row.model_tokens, c.model_cost = row.model_cost
WITH d
WHERE d.status = 'ready'
SET d.status = 'unlinked'
