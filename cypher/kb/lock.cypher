// Setting a property takes the node's write lock until the transaction ends: one writer per knowledge base at a time,
// whatever the process or machine, and a crash releases it.
MATCH (k:KnowledgeBase {name: $kb})
SET k.lock = true
REMOVE k.lock
RETURN count(k) AS found
