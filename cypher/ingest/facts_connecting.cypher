UNWIND $entities AS id
MATCH (h:ClewHyperedge)-[:CONNECTS]->(:ClewEntity {id: id})
RETURN DISTINCT h.id AS id
