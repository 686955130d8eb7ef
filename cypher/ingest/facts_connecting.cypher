UNWIND $entities AS id
MATCH (h:Hyperedge)-[:CONNECTS]->(:Entity {id: id})
RETURN DISTINCT h.id AS id
