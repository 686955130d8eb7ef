// The adjacency of one page of hyperedges, in the order of their ids, without entities that are values of cells ($values).
MATCH (h:ClewHyperedge {kb: $kb})
WHERE h.id > $after
WITH h ORDER BY h.id LIMIT $limit
RETURN h.id AS id, h.key AS key,
       COLLECT { MATCH (h)-[:CONNECTS]->(e:ClewEntity) WHERE NOT e.type IN $values RETURN e.id ORDER BY e.id } AS entities,
       COLLECT { MATCH (c:ClewChunk)-[:STATES]->(h) RETURN DISTINCT c.id ORDER BY c.id } AS chunks
