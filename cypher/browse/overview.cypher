// Overview: the best connected entities, and the facts they take part in.
MATCH (e:Entity {kb: $kb})
WITH e ORDER BY e.degree DESC LIMIT 12
MATCH path = (e)<-[:CONNECTS]-(h:Hyperedge)
WITH e, collect(path)[..8] AS paths
UNWIND paths AS path
RETURN path
