UNWIND $chunks AS row
MATCH (d:Document {id: row.document})
MERGE (c:Chunk {id: row.id})
ON CREATE SET c.embedding = toFloatList(row.embedding)
SET c.kb = $kb, c.name = row.name, c.index = row.index, c.text = row.text, c.start = row.start, c.end = row.end,
    c.model_tokens = row.model_tokens, c.model_cost = row.model_cost
MERGE (d)-[:HAS_CHUNK]->(c)
