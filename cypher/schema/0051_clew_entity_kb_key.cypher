// An entity by its name, for those who do not know its id.
CREATE INDEX clew_entity_kb_key IF NOT EXISTS FOR (n:ClewEntity) ON (n.kb, n.key)
