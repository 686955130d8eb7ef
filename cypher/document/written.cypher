// Those of these documents that are in the graph in this very version, with what it has of them.
UNWIND $documents AS row
MATCH (d:ClewDocument {id: row.id, kb: $kb})
WHERE d.sha256 = row.sha256 AND d.status <> 'partial' AND d.recipe STARTS WITH $recipe
RETURN d.id AS id,
       COUNT { MATCH (d)-[:HAS_CHUNK]->()-[:STATES]->(h) RETURN DISTINCT h } AS facts,
       COUNT { MATCH (d)-[:HAS_CHUNK]->()-[:STATES]->()-[:CONNECTS]->(e) RETURN DISTINCT e } AS entities
