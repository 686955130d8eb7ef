// How many documents state so many hyperedges.
MATCH (d:ClewDocument {kb: $kb})
WITH d, COUNT { (d)-[:HAS_CHUNK]->()-[:STATES]->() } AS facts
RETURN facts, count(*) AS documents
ORDER BY facts
