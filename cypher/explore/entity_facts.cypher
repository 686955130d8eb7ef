// The hyperedges in which an entity plays a role.
MATCH (h:Hyperedge)-[r:CONNECTS]->(:Entity {id: $id, kb: $kb})
WHERE $role IS NULL OR r.role = $role
WITH DISTINCT h.id AS id
RETURN id
ORDER BY id
SKIP $skip LIMIT $limit
