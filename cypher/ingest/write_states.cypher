UNWIND $states AS row
MATCH (c:ClewChunk {id: row.chunk})
MATCH (h:ClewHyperedge {id: row.hyperedge})
MERGE (c)-[s:STATES {start: row.start, end: row.end}]->(h)
SET s.table = row.table, s.part = row.part
