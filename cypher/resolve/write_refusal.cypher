MATCH (a:ClewEntity {id: $a, kb: $kb})
MATCH (b:ClewEntity {id: $b, kb: $kb})
WHERE NOT EXISTS { (a)-[:DIFFERENT_FROM]-(b) }
CREATE (a)-[:DIFFERENT_FROM {by: $by, at: datetime()}]->(b)
