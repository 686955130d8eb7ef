// One that is being restored is not there yet.
MATCH (k:ClewKnowledgeBase {name: $kb}) WHERE k.restoring IS NULL
RETURN k.embedder AS embedder, k.dimensions AS dimensions, k.version AS version
