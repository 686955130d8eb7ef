// The facts of a document that a model worded: their chunk, and what the document says where their evidence is.
MATCH (d:ClewDocument {id: $document, kb: $kb})-[:HAS_CHUNK]->(c:ClewChunk)-[s:STATES]->(h:ClewHyperedge {origin: $origin})
RETURN h.text AS statement, c.text AS text, c.start AS `from`, c.end AS until, s.start AS start, s.end AS end,
       substring(d.text, s.start, s.end - s.start) AS evidence
