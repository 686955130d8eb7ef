// The shortest ways between two entities over hyperedges, and over names that were merged; dates and values are no bridges.
MATCH (a:ClewEntity {id: $first, kb: $kb}), (b:ClewEntity {id: $second, kb: $kb})
MATCH path = SHORTEST $limit
  (a) (()-[:CONNECTS|SAME_AS]-(n) WHERE NOT coalesce(n.type, '') IN ['amount', 'flag', 'date']){0,9} ()-[:CONNECTS|SAME_AS]-(b)
RETURN [n IN nodes(path) WHERE n:ClewHyperedge | n.id] AS facts, [n IN nodes(path) WHERE n:ClewEntity | n.name] AS names
ORDER BY length(path), reduce(ties = 0, n IN nodes(path) | ties + coalesce(n.degree, 0)), facts
