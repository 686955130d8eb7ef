CREATE INDEX clew_hyperedge_kb_id IF NOT EXISTS FOR (n:ClewHyperedge) ON (n.kb, n.id)
