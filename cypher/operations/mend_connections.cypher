UNWIND $pairs AS pair
MATCH (h:ClewHyperedge {id: pair.hyperedge})-[r:CONNECTS]->(e:ClewEntity {id: pair.entity})
WHERE h.kb = $kb AND r.role <> 'link'
DELETE r
SET e.stale = true
RETURN DISTINCT e.id AS entity
