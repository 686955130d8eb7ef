// What is decided or suggested of pairs of entities, for a page of the entities that it begins from.
MATCH (a:ClewEntity)
WHERE a.kb = $kb AND a.id > $after AND EXISTS { (a)-[:SAME_AS|MAYBE_SAME_AS|DIFFERENT_FROM]->() }
WITH a ORDER BY a.id LIMIT $limit
RETURN a.id AS id, COLLECT {
  MATCH (a)-[r:SAME_AS|MAYBE_SAME_AS|DIFFERENT_FROM]->(b:ClewEntity)
  RETURN [type(r), b.id, properties(r)] ORDER BY type(r), b.id
} AS pairs
