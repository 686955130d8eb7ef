// Decisions about pairs that cannot be: of an entity with itself, across knowledge bases, made twice (the surer
// one stays), or refused as well.
MATCH (a:ClewEntity {kb: $kb})-[r:SAME_AS|DIFFERENT_FROM|MAYBE_SAME_AS]->(b:ClewEntity)
WHERE a = b OR b.kb <> $kb
   OR EXISTS { MATCH (a)-[o:SAME_AS|DIFFERENT_FROM|MAYBE_SAME_AS]-(b)
               WHERE type(o) = type(r)
                 AND (coalesce(o.score, 0.0) > coalesce(r.score, 0.0)
                      OR (coalesce(o.score, 0.0) = coalesce(r.score, 0.0) AND elementId(o) < elementId(r))) }
   OR (type(r) = 'SAME_AS' AND EXISTS { (a)-[:DIFFERENT_FROM]-(b) })
RETURN elementId(r) AS id, a.name + ' – ' + b.name AS shown LIMIT $limit
