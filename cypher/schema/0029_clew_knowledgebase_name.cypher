CREATE CONSTRAINT clew_knowledgebase_name IF NOT EXISTS FOR (n:ClewKnowledgeBase) REQUIRE n.name IS UNIQUE
