// A page of hyperedges with who takes part in them, without their vectors.
MATCH (n:ClewHyperedge)
WHERE n.kb = $kb AND n.id > $after
WITH n ORDER BY n.id LIMIT $limit
RETURN n.id AS id, n {.*, `embedding`: null, `embedding_2`: null} AS properties,
       COLLECT { MATCH (n)-[r:CONNECTS]->(e:ClewEntity) RETURN [e.id, properties(r)] ORDER BY e.id } AS connects
