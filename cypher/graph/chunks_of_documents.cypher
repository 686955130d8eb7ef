UNWIND $only AS id
MATCH (:ClewDocument {id: id})-[:HAS_CHUNK]->(c:ClewChunk)
RETURN c.id AS id
