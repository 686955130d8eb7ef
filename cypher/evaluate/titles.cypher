MATCH (d:Document {kb: $kb})
RETURN d.id AS id, d.title AS title
