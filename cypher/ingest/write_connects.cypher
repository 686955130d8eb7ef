UNWIND $connects AS row
MATCH (h:ClewHyperedge {id: row.hyperedge})
MATCH (e:ClewEntity {id: row.entity})
MERGE (h)-[r:CONNECTS]->(e)
ON CREATE SET r.role = row.role, r.surface = row.surface, r.type = row.type,
              r.value = row.value, r.number = row.number, r.unit = row.unit, r.date = row.date
