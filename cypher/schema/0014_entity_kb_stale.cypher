CREATE INDEX entity_kb_stale IF NOT EXISTS FOR (n:Entity) ON (n.kb, n.stale)
