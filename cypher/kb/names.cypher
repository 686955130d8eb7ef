// The names alone, which cost the same however many documents there are.
MATCH (k:ClewKnowledgeBase)
WHERE k.restoring IS NULL
RETURN k.name AS name, coalesce(k.hidden, false) AS hidden
ORDER BY name
