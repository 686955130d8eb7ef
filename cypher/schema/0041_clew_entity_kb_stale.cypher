CREATE INDEX clew_entity_kb_stale IF NOT EXISTS FOR (n:ClewEntity) ON (n.kb, n.stale)
