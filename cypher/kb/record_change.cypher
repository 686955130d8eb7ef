// What this transaction has made of the version before; of older changes only the last are kept.
MATCH (k:ClewKnowledgeBase {name: $kb})
CREATE (k)-[:CHANGED]->(c:ClewChange:Change {kb: $kb, at: datetime.realtime(), before: $before, version: k.version})
SET c.name = toString(c.at), c.hyperedges = $hyperedges, c.titles = $titles
WITH k
MATCH (k)-[:CHANGED]->(c:ClewChange)
WITH c ORDER BY c.at DESC SKIP $kept
DETACH DELETE c
