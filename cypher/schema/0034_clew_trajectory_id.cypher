CREATE CONSTRAINT clew_trajectory_id IF NOT EXISTS FOR (n:ClewTrajectory) REQUIRE n.id IS UNIQUE
