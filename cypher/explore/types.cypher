// How many entities there are of each type.
MATCH (e:Entity {kb: $kb})
RETURN e.type AS type, count(*) AS count
ORDER BY count DESC, type
