CREATE INDEX clew_document_kb_source IF NOT EXISTS FOR (n:ClewDocument) ON (n.kb, n.source)
