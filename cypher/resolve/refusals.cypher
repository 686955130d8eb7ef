MATCH (a:ClewEntity {kb: $kb})-[:DIFFERENT_FROM]->(b:ClewEntity)
RETURN a.id AS a, b.id AS b
