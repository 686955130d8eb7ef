UNWIND $pairs AS row
MATCH (a:ClewEntity {id: row.a, kb: $kb})-[r:SAME_AS]-(b:ClewEntity {id: row.b})
DELETE r
RETURN a.id AS a, b.id AS b
