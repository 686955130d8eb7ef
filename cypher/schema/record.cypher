MERGE (m:Migration {number: $number})
ON CREATE SET m.name = $name
