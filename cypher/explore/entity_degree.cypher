// The best connected entities, by the index on their degree; not those that only a document's title names.
MATCH (e:ClewEntity {kb: $kb})
WHERE e.degree > 0 AND ($type IS NULL OR e.type = $type)
  AND EXISTS { (e)<-[r:CONNECTS]-() WHERE r.role = $role OR ($role IS NULL AND coalesce(r.role, '') <> 'topic') }
RETURN e.id AS id
ORDER BY e.degree DESC
LIMIT $limit
