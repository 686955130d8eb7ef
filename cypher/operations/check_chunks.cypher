// Chunks of no document.
MATCH (n:Chunk {kb: $kb})
WHERE NOT EXISTS { (:Document)-[:HAS_CHUNK]->(n) }
RETURN n.id AS id LIMIT $limit
