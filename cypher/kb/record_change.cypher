// What this transaction has made of the version before; of older changes only the last are kept.
MATCH (k:KnowledgeBase {name: $kb})
CREATE (k)-[:CHANGED]->(c:Change {kb: $kb, at: datetime.realtime(), before: $before, version: k.version})
SET c.name = toString(c.at), c.hyperedges = $hyperedges, c.titles = $titles
WITH k
MATCH (k)-[:CHANGED]->(c:Change)
WITH c ORDER BY c.at DESC SKIP $kept
DETACH DELETE c
