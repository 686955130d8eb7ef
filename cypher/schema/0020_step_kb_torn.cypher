CREATE INDEX step_kb_torn IF NOT EXISTS FOR (n:Step) ON (n.kb, n.torn)
