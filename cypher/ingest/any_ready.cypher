MATCH (d:Document {kb: $kb, status: 'ready'}) RETURN d.id AS id LIMIT 1
