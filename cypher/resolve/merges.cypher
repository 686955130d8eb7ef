// Which entities are taken for the same, pair by pair.
MATCH (a:ClewEntity {kb: $kb})-[:SAME_AS]->(b:ClewEntity)
RETURN a.id AS a, b.id AS b
