// The facts of a document that a model worded: their chunk, and what the document says where their evidence is.
MATCH (d:Document {id: $document, kb: $kb})-[:HAS_CHUNK]->(c:Chunk)-[s:STATES]->(h:Hyperedge {origin: $origin})
RETURN h.text AS statement, c.text AS text, c.start AS `from`, c.end AS until, s.start AS start, s.end AS end,
       substring(d.text, s.start, s.end - s.start) AS evidence
