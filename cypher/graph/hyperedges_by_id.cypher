// The adjacency of these hyperedges, without those that are gone.
UNWIND $ids AS id
MATCH (h:Hyperedge {id: id})
RETURN h.id AS id,
       COLLECT { MATCH (h)-[:CONNECTS]->(e:Entity) RETURN e.id ORDER BY e.id } AS entities,
       COLLECT { MATCH (c:Chunk)-[:STATES]->(h) RETURN DISTINCT c.id ORDER BY c.id } AS chunks
