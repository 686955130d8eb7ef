CREATE INDEX clew_document_kb_title_key IF NOT EXISTS FOR (n:ClewDocument) ON (n.kb, n.title_key)
