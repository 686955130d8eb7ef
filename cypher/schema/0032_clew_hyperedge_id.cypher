CREATE CONSTRAINT clew_hyperedge_id IF NOT EXISTS FOR (n:ClewHyperedge) REQUIRE n.id IS UNIQUE
