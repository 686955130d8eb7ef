// The passages that hold the rows of some tables ($tables: document and number), in their order; the number -1 stands for
// those that hold what a document says of itself.
UNWIND $tables AS row
MATCH (d:ClewDocument {id: row.document})-[:HAS_CHUNK]->(c:ClewChunk)
WHERE EXISTS { (c)-[:STATES {table: row.number}]->(:ClewHyperedge) }
   OR (row.number = -1 AND c.blocks CONTAINS '"metadata"')
RETURN DISTINCT d.id AS document, d.title AS title, d.pages AS pages, c.id AS chunk, c.text AS text,
       c.start AS chunk_start, c.end AS chunk_end, c.section AS section, c.blocks AS blocks, d.metadata AS metadata
ORDER BY document, chunk_start LIMIT $limit
