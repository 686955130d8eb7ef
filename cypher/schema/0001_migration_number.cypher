CREATE CONSTRAINT migration_number IF NOT EXISTS FOR (n:Migration) REQUIRE n.number IS UNIQUE
