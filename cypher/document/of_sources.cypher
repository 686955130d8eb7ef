UNWIND $sources AS source
MATCH (d:Document {kb: $kb, source: source})
RETURN d.id AS id
