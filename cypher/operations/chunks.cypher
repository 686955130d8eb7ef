// A page of chunks with the document of each and what it states, without their vectors.
MATCH (n:ClewChunk)
WHERE n.kb = $kb AND n.id > $after
WITH n ORDER BY n.id LIMIT $limit
RETURN n.id AS id, n {.*, `embedding`: null, `embedding_2`: null} AS properties,
       COLLECT { MATCH (d:ClewDocument)-[:HAS_CHUNK]->(n) RETURN d.id ORDER BY d.id } AS documents,
       COLLECT { MATCH (n)-[r:STATES]->(h:ClewHyperedge) RETURN [h.id, properties(r)] ORDER BY h.id, r.start } AS states
