CREATE INDEX clew_step_kb_torn IF NOT EXISTS FOR (n:ClewStep) ON (n.kb, n.torn)
