// Plain migrations are those of before schema 28, when the label was not yet Clew's alone.
MATCH (m:ClewMigration|Migration)
WHERE m:ClewMigration OR m.name STARTS WITH 'schema/'
RETURN m.number AS number
