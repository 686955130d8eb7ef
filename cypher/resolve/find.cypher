// An entity by its id or the key of its name.
MATCH (e:Entity {kb: $kb})
WHERE e.key = $key
RETURN e.id AS id, e.name AS name
UNION
MATCH (e:Entity {id: $id, kb: $kb})
RETURN e.id AS id, e.name AS name
