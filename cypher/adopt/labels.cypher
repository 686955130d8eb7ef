// The labels that nodes have which are not Clew's own, with how many have each.
CALL db.labels() YIELD label
WITH label, COUNT { MATCH (n:$(label)) WHERE none(own IN labels(n) WHERE own STARTS WITH 'Clew') } AS nodes
WHERE nodes > 0
RETURN label, nodes
ORDER BY label
