// The shortest ways between two entities over hyperedges, and over names that were merged. Dates, values of cells and
// words that a fact has from its document's title alone are no bridges.
MATCH (a:ClewEntity {id: $first, kb: $kb}), (b:ClewEntity {id: $second, kb: $kb})
MATCH path = SHORTEST $limit
  (a) (()-[r:CONNECTS|SAME_AS]-(n) WHERE NOT coalesce(n.type, '') IN ['amount', 'flag', 'date'] AND coalesce(r.role, '') <> 'topic'){0,9}
  ()-[last:CONNECTS|SAME_AS WHERE coalesce(last.role, '') <> 'topic']-(b)
RETURN [n IN nodes(path) WHERE n:ClewHyperedge | n.id] AS facts, [n IN nodes(path) WHERE n:ClewEntity | n.name] AS names
ORDER BY length(path), reduce(ties = 0, n IN nodes(path) | ties + coalesce(n.degree, 0)), facts
