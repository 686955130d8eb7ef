// How many entities there are of each type.
MATCH (e:ClewEntity {kb: $kb})
RETURN e.type AS type, count(*) AS count
ORDER BY count DESC, type
