UNWIND $pairs AS row
MATCH (:ClewEntity {id: row.a, kb: $kb})-[r:DIFFERENT_FROM]-(:ClewEntity {id: row.b})
DELETE r
RETURN count(r) AS deleted
