UNWIND $rows AS row
CREATE (n:Hyperedge)
SET n = row.properties
WITH n, row
UNWIND row.connects AS end
MATCH (e:Entity {id: end[0], kb: $kb})
CREATE (n)-[r:CONNECTS]->(e)
SET r = end[1]
