MATCH (:ClewEntity {id: $a, kb: $kb})-[r:DIFFERENT_FROM]-(:ClewEntity {id: $b})
DELETE r
RETURN count(r) AS deleted
