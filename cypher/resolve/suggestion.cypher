MATCH (a:Entity {id: $a, kb: $kb})-[r:MAYBE_SAME_AS]-(b:Entity {id: $b})
RETURN startNode(r).id AS a, endNode(r).id AS b, r.score AS score, r.reasons AS reasons
