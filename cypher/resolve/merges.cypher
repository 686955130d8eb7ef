// Which entities are taken for the same, pair by pair.
MATCH (a:Entity {kb: $kb})-[:SAME_AS]->(b:Entity)
RETURN a.id AS a, b.id AS b
