// The best connected entities, without a look at all the others.
CREATE INDEX clew_entity_kb_degree IF NOT EXISTS FOR (n:ClewEntity) ON (n.kb, n.degree)
