CREATE CONSTRAINT clew_migration_number IF NOT EXISTS FOR (n:ClewMigration) REQUIRE n.number IS UNIQUE
