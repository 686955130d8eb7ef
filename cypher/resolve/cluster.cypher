// An entity and all that are taken for the same.
MATCH (e:ClewEntity {id: $id, kb: $kb})
MATCH (e) (()-[:SAME_AS]-()){0,} (o:ClewEntity)
WITH DISTINCT o
RETURN o.id AS id, o.name AS name, o.degree AS degree
ORDER BY degree DESC, id
