// Knowledge bases whose restore was begun and not finished.
MATCH (k:ClewKnowledgeBase)
WHERE k.restoring IS NOT NULL
RETURN k.name AS name, k.restored AS parts
ORDER BY name
