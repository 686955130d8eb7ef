MATCH (k:ClewKnowledgeBase)
WHERE k.restoring IS NULL
RETURN k.name AS name, k.embedder AS embedder, k.dimensions AS dimensions,
       COUNT { MATCH (:ClewDocument {kb: k.name}) } AS documents,
       coalesce(k.description, '') AS description, coalesce(k.hidden, false) AS hidden
ORDER BY name
