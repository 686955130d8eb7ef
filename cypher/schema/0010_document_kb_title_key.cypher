CREATE INDEX document_kb_title_key IF NOT EXISTS FOR (n:Document) ON (n.kb, n.title_key)
