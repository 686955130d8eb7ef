MATCH (a:ClewEntity {id: $a, kb: $kb})-[r:MAYBE_SAME_AS]-(b:ClewEntity {id: $b})
RETURN startNode(r).id AS a, endNode(r).id AS b, r.score AS score, r.reasons AS reasons
