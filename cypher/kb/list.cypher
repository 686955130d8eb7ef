MATCH (k:KnowledgeBase)
WHERE k.restoring IS NULL
RETURN k.name AS name, k.embedder AS embedder, k.dimensions AS dimensions,
       COUNT { MATCH (:Document {kb: k.name}) } AS documents
ORDER BY name
