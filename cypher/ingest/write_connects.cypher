UNWIND $connects AS row
MATCH (h:Hyperedge {id: row.hyperedge})
MATCH (e:Entity {id: row.entity})
MERGE (h)-[r:CONNECTS]->(e)
ON CREATE SET r.role = row.role, r.surface = row.surface, r.type = row.type
