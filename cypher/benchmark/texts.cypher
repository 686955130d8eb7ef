// What was encoded for a knowledge base: each chunk with its title, each hyperedge, each entity's key.
MATCH (d:ClewDocument {kb: $kb})-[:HAS_CHUNK]->(c:ClewChunk)
RETURN d.title + '\n' + c.text AS text
UNION ALL
MATCH (h:ClewHyperedge {kb: $kb})
RETURN h.text AS text
UNION ALL
MATCH (e:ClewEntity {kb: $kb})
RETURN e.key AS text
