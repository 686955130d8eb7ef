UNWIND $sources AS source
MATCH (d:ClewDocument {kb: $kb, source: source})
WHERE d.locator <> ''
RETURN DISTINCT source
