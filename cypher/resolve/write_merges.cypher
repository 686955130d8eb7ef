UNWIND $pairs AS row
MATCH (a:ClewEntity {id: row.a, kb: $kb})
MATCH (b:ClewEntity {id: row.b, kb: $kb})
WHERE NOT EXISTS { (a)-[:SAME_AS]-(b) }
CREATE (a)-[:SAME_AS {score: row.score, reasons: row.reasons, by: row.by, at: datetime()}]->(b)
RETURN a.id AS a, b.id AS b
