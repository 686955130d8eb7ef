// A knowledge base that nobody sees, until its restore is finished.
MERGE (k:ClewKnowledgeBase {name: $kb})
ON CREATE SET k:KnowledgeBase, k.restoring = $restoring, k.restored = 0
RETURN k.restoring AS restoring, k.restored AS restored
