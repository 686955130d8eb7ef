MATCH (d:Document {kb: $kb})
WHERE d.id = $name OR d.title = $name OR d.source = $name
RETURN d.id AS id, d.title AS title, d.source AS source
LIMIT 50
