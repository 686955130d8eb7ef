CREATE INDEX clew_trajectory_kb IF NOT EXISTS FOR (n:ClewTrajectory) ON (n.kb)
