// Removes at most $limit nodes of a knowledge base, whatever their label, so that no transaction grows too large.
MATCH (n)
WHERE n.kb = $kb OR (n:ClewKnowledgeBase AND n.name = $kb)
WITH n LIMIT $limit
DETACH DELETE n
RETURN count(*) AS deleted
