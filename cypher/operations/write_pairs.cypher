UNWIND $rows AS row
MATCH (a:ClewEntity {id: row.id, kb: $kb})
UNWIND row.pairs AS pair
MATCH (b:ClewEntity {id: pair[1], kb: $kb})
CREATE (a)-[r:$(pair[0])]->(b)
SET r = pair[2]
