// What was encoded for a knowledge base: each chunk with its title, each hyperedge, each entity's key.
MATCH (d:Document {kb: $kb})-[:HAS_CHUNK]->(c:Chunk)
RETURN d.title + '\n' + c.text AS text
UNION ALL
MATCH (h:Hyperedge {kb: $kb})
RETURN h.text AS text
UNION ALL
MATCH (e:Entity {kb: $kb})
RETURN e.key AS text
