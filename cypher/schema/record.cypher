MERGE (m:ClewMigration {number: $number})
ON CREATE SET m:Migration, m.name = $name
