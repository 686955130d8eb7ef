// An entity by its name, for those who do not know its id.
CREATE INDEX entity_kb_key IF NOT EXISTS FOR (n:Entity) ON (n.kb, n.key)
