// What is left of a restore is seen from here on, so that it can be deleted; nobody goes on with it.
MATCH (k:ClewKnowledgeBase {name: $kb})
WHERE k.restoring IS NOT NULL
SET k.embedder = '', k.dimensions = 0
REMOVE k.restoring, k.restored
