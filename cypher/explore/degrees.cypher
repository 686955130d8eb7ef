// How many entities there are of each degree, by the index.
MATCH (e:Entity {kb: $kb})
WHERE e.degree > 0
RETURN e.degree AS degree, count(*) AS entities
ORDER BY degree
