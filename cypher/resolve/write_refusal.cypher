MATCH (a:Entity {id: $a, kb: $kb})
MATCH (b:Entity {id: $b, kb: $kb})
WHERE NOT EXISTS { (a)-[:DIFFERENT_FROM]-(b) }
CREATE (a)-[:DIFFERENT_FROM {by: $by, at: datetime()}]->(b)
