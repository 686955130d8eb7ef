// The labels that nodes have which are not Clew's own, with how many have each.
CALL db.labels() YIELD label
WITH label WHERE NOT label IN $hidden
WITH label, COUNT { MATCH (n:$(label)) WHERE n.kb IS NULL OR none(own IN $own WHERE own IN labels(n)) } AS nodes
WHERE nodes > 0
RETURN label, nodes
ORDER BY label
