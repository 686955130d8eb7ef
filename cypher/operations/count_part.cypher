// Part by part, each once, whoever else restores the same; the lock is held until the transaction ends.
MATCH (k:ClewKnowledgeBase {name: $kb, restoring: $restoring, restored: $restored})
SET k.restored = $restored + 1
RETURN k.name AS name
