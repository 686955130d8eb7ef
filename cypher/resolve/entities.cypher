// A page of entities, in the order of their keys; dates are no names.
MATCH (e:ClewEntity {kb: $kb})
WHERE e.key > $after
WITH e ORDER BY e.key LIMIT $limit
RETURN e.id AS id, e.key AS key, e.name AS name, e.type AS type
ORDER BY key
