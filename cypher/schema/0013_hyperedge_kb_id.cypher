CREATE INDEX hyperedge_kb_id IF NOT EXISTS FOR (n:Hyperedge) ON (n.kb, n.id)
