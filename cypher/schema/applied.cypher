MATCH (m:Migration) RETURN m.number AS number
