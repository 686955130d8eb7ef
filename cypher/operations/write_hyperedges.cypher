UNWIND $rows AS row
CREATE (n:ClewHyperedge:Hyperedge)
SET n = row.properties
WITH n, row
UNWIND row.connects AS end
MATCH (e:ClewEntity {id: end[0], kb: $kb})
CREATE (n)-[r:CONNECTS]->(e)
SET r = end[1]
