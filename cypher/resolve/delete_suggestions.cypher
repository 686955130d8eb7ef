UNWIND $pairs AS row
MATCH (:ClewEntity {id: row.a, kb: $kb})-[r:MAYBE_SAME_AS]-(:ClewEntity {id: row.b})
DELETE r
