// Nodes of before schema 28 get the label that only Clew uses, at most $limit in a transaction; others' have no kb.
MATCH (n:$($label))
WHERE NOT n:$('Clew' + $label)
  AND (n.kb IS NOT NULL OR $label = 'KnowledgeBase' OR $label = 'Migration' AND n.name STARTS WITH 'schema/')
WITH n LIMIT $limit
SET n:$('Clew' + $label)
RETURN count(n) AS labelled
