// The hyperedges that tie the best connected entities together, not counting words of their documents' titles.
MATCH (e:ClewEntity {kb: $kb})
WHERE e.degree > 0 AND EXISTS { (e)<-[r:CONNECTS]-() WHERE coalesce(r.role, '') <> 'topic' }
WITH e ORDER BY e.degree DESC LIMIT 12
MATCH (h:ClewHyperedge)-[r:CONNECTS WHERE coalesce(r.role, '') <> 'topic']->(e)
WITH h, count(e) AS shared
RETURN h.id AS id
ORDER BY shared DESC, id LIMIT $limit
