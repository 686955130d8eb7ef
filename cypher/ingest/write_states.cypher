UNWIND $states AS row
MATCH (c:Chunk {id: row.chunk})
MATCH (h:Hyperedge {id: row.hyperedge})
MERGE (c)-[:STATES {start: row.start, end: row.end}]->(h)
