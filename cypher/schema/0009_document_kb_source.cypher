CREATE INDEX document_kb_source IF NOT EXISTS FOR (n:Document) ON (n.kb, n.source)
