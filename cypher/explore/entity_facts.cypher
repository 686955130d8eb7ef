// The hyperedges in which an entity plays a role.
MATCH (h:ClewHyperedge)-[r:CONNECTS]->(:ClewEntity {id: $id, kb: $kb})
WHERE $role IS NULL OR r.role = $role
WITH DISTINCT h.id AS id
RETURN id
ORDER BY id
SKIP $skip LIMIT $limit
