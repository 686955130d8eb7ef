UNWIND $ids AS id
MATCH (d:Document {id: id, kb: $kb})-[:HAS_CHUNK]->(c:Chunk)
RETURN d.id AS id, d.title AS title, collect(c.text) AS texts
