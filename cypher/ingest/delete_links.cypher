UNWIND $links AS row
MATCH (:Hyperedge {id: row.hyperedge})-[r:CONNECTS {role: 'link'}]->(e:Entity {id: row.entity})
DELETE r
SET e.stale = true
RETURN DISTINCT e.id AS entity
