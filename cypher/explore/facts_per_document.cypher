// How many documents state so many hyperedges.
MATCH (d:Document {kb: $kb})
WITH d, COUNT { (d)-[:HAS_CHUNK]->()-[:STATES]->() } AS facts
RETURN facts, count(*) AS documents
ORDER BY facts
