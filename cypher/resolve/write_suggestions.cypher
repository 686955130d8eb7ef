UNWIND $pairs AS row
MATCH (a:ClewEntity {id: row.a, kb: $kb})
MATCH (b:ClewEntity {id: row.b, kb: $kb})
MERGE (a)-[r:MAYBE_SAME_AS]->(b)
SET r.score = row.score, r.reasons = row.reasons, r.judged = row.judged
