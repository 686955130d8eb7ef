UNWIND $sources AS source
MATCH (d:ClewDocument {kb: $kb, source: source})
RETURN d.id AS id, source
