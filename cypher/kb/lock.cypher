// Setting a property takes the node's write lock until the transaction ends: one writer per knowledge base at a time,
// whatever the process or machine, and a crash releases it. The new version tells readers that their copy is old.
MATCH (k:KnowledgeBase {name: $kb})
SET k.version = randomUUID()
RETURN count(k) AS found
