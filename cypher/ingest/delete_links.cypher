UNWIND $links AS row
MATCH (:ClewHyperedge {id: row.hyperedge})-[r:CONNECTS {role: 'link'}]->(e:ClewEntity {id: row.entity})
DELETE r
SET e.stale = true
RETURN DISTINCT e.id AS entity
