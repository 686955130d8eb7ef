// From here on it is there, all at once.
MATCH (k:ClewKnowledgeBase {name: $kb, restoring: $restoring})
SET k += $properties, k.version = randomUUID()
REMOVE k.restoring, k.restored
RETURN k.name AS name
