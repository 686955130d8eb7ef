UNWIND $states AS row
MATCH (c:ClewChunk {id: row.chunk})
MATCH (h:ClewHyperedge {id: row.hyperedge})
MERGE (c)-[:STATES {start: row.start, end: row.end}]->(h)
