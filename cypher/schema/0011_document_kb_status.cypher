CREATE INDEX document_kb_status IF NOT EXISTS FOR (n:Document) ON (n.kb, n.status)
