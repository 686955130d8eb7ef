UNWIND $pairs AS row
MATCH (a:Entity {id: row.a, kb: $kb})-[r:SAME_AS]-(b:Entity {id: row.b})
DELETE r
RETURN a.id AS a, b.id AS b
