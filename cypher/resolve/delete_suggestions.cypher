UNWIND $pairs AS row
MATCH (:Entity {id: row.a, kb: $kb})-[r:MAYBE_SAME_AS]-(:Entity {id: row.b})
DELETE r
