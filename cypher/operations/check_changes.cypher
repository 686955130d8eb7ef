// Records of changes that no reader can follow: of no knowledge base, without what they changed, or too many.
MATCH (n:ClewChange {kb: $kb})
WITH n ORDER BY n.at DESC
WITH collect(n) AS found
UNWIND range(0, size(found) - 1) AS i
WITH found[i] AS n, i
WHERE i > $kept OR n.version IS NULL OR n.before IS NULL OR n.hyperedges IS NULL OR n.titles IS NULL
   OR NOT EXISTS { (:ClewKnowledgeBase {name: $kb})-[:CHANGED]->(n) }
RETURN elementId(n) AS id LIMIT $limit
