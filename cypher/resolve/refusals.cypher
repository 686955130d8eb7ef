MATCH (a:Entity {kb: $kb})-[:DIFFERENT_FROM]->(b:Entity)
RETURN a.id AS a, b.id AS b
