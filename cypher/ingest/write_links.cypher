UNWIND $links AS row
MATCH (h:ClewHyperedge {id: row.hyperedge})
MATCH (e:ClewEntity {id: row.entity})
WHERE NOT EXISTS { (h)-[:CONNECTS]->(e) }
CREATE (h)-[:CONNECTS {role: 'link', surface: row.surface}]->(e)
SET e.stale = true
