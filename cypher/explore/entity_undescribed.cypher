// The best connected of the entities that are being brought in, which have no degree yet.
MATCH (e:ClewEntity {kb: $kb, stale: true})
WHERE e.degree IS NULL AND ($type IS NULL OR e.type = $type)
  AND ($role IS NULL OR EXISTS { (:ClewHyperedge)-[:CONNECTS {role: $role}]->(e) })
WITH e, COUNT { (e)<-[:CONNECTS]-() } AS facts
WHERE facts > 0
RETURN e.id AS id
ORDER BY facts DESC, id
LIMIT $limit
