CREATE INDEX trajectory_kb_torn IF NOT EXISTS FOR (n:Trajectory) ON (n.kb, n.torn)
