// Chunks of no document.
MATCH (n:ClewChunk {kb: $kb})
WHERE NOT EXISTS { (:ClewDocument)-[:HAS_CHUNK]->(n) }
RETURN n.id AS id LIMIT $limit
