UNWIND $only AS id
MATCH (:Document {id: id})-[:HAS_CHUNK]->(c:Chunk)
RETURN c.id AS id
