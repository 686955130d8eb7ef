UNWIND $chunks AS row
MATCH (d:ClewDocument {id: row.document})
MERGE (c:ClewChunk {id: row.id})
ON CREATE SET c:Chunk, c.embedding = toFloatList(row.embedding)
SET c.kb = $kb, c.name = row.name, c.index = row.index, c.text = row.text, c.start = row.start, c.end = row.end,
    c.section = row.section, c.blocks = row.blocks, c.model_tokens = row.model_tokens, c.model_cost = row.model_cost
MERGE (d)-[:HAS_CHUNK]->(c)
