// An entity by its id or the key of its name.
MATCH (e:ClewEntity {kb: $kb})
WHERE e.key = $key
RETURN e.id AS id, e.name AS name
UNION
MATCH (e:ClewEntity {id: $id, kb: $kb})
RETURN e.id AS id, e.name AS name
