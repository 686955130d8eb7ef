MATCH (d:ClewDocument {kb: $kb})
WHERE d.title_key IS NOT NULL
RETURN DISTINCT d.title_key AS title_key
