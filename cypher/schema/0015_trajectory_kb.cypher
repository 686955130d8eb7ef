CREATE INDEX trajectory_kb IF NOT EXISTS FOR (n:Trajectory) ON (n.kb)
