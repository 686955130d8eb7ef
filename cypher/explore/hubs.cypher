// The hyperedges that tie the best connected entities together.
MATCH (e:ClewEntity {kb: $kb})
WHERE e.degree > 0
WITH e ORDER BY e.degree DESC LIMIT 12
MATCH (h:ClewHyperedge)-[:CONNECTS]->(e)
WITH h, count(e) AS shared
RETURN h.id AS id
ORDER BY shared DESC, id LIMIT $limit
