CREATE INDEX clew_document_kb_status IF NOT EXISTS FOR (n:ClewDocument) ON (n.kb, n.status)
