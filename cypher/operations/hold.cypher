// Be the knowledge base's only writer until the transaction ends, without making a change.
MATCH (k:ClewKnowledgeBase {name: $kb})
WHERE k.restoring IS NULL
SET k.lock = true
REMOVE k.lock
RETURN k {.*} AS properties
