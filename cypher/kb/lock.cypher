// Setting a property takes the node's write lock until the transaction ends: one writer per knowledge base at a time,
// whatever the process or machine, and a crash releases it. The new version tells readers that their copy is old; the
// one before it is read under the lock, so that versions follow one another without a gap.
MATCH (k:ClewKnowledgeBase {name: $kb})
SET k.lock = true
REMOVE k.lock
WITH k, k.version AS before
SET k.version = randomUUID()
RETURN before, k.restoring AS restoring
