MATCH (:Entity {id: $a, kb: $kb})-[r:DIFFERENT_FROM]-(:Entity {id: $b})
DELETE r
RETURN count(r) AS deleted
