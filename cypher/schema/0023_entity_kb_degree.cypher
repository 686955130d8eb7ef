// The best connected entities, without a look at all the others.
CREATE INDEX entity_kb_degree IF NOT EXISTS FOR (n:Entity) ON (n.kb, n.degree)
