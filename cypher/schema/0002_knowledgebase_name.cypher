CREATE CONSTRAINT knowledgebase_name IF NOT EXISTS FOR (n:KnowledgeBase) REQUIRE n.name IS UNIQUE
