UNWIND $ids AS id
MATCH (d:ClewDocument {id: id, kb: $kb})-[:HAS_CHUNK]->(c:ClewChunk)
RETURN d.id AS id, d.title AS title, collect(c.text) AS texts
