// Entities as a list shows them.
UNWIND $ids AS id
MATCH (e:Entity {id: id, kb: $kb})
RETURN id, e.name AS name, e.type AS type, e.degree AS degree, e.aliases[..5] AS aliases, coalesce(e.page, false) AS page
