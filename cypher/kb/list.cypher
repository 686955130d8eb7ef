MATCH (k:ClewKnowledgeBase)
WHERE k.restoring IS NULL
RETURN k.name AS name, k.embedder AS embedder, k.dimensions AS dimensions,
       COUNT { MATCH (:ClewDocument {kb: k.name}) } AS documents
ORDER BY name
