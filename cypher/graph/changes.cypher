// What each transaction has changed since that version, if it is not too long ago.
MATCH (k:ClewKnowledgeBase {name: $kb})-[:CHANGED]->(first:ClewChange {before: $version})
MATCH (k)-[:CHANGED]->(c:ClewChange)
WHERE c.at >= first.at
RETURN c.before AS before, c.version AS version, c.hyperedges AS hyperedges, c.titles AS titles
