CREATE INDEX clew_trajectory_kb_torn IF NOT EXISTS FOR (n:ClewTrajectory) ON (n.kb, n.torn)
