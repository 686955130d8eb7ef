// The adjacency of these hyperedges, without those that are gone.
UNWIND $ids AS id
MATCH (h:ClewHyperedge {id: id})
RETURN h.id AS id, h.key AS key,
       COLLECT { MATCH (h)-[:CONNECTS]->(e:ClewEntity) WHERE NOT e.type IN $values RETURN e.id ORDER BY e.id } AS entities,
       COLLECT { MATCH (c:ClewChunk)-[:STATES]->(h) RETURN DISTINCT c.id ORDER BY c.id } AS chunks
