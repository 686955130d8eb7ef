// The hyperedges that state cited spans of documents whose text is still that version, in the order of the citations.
UNWIND range(0, size($spans) - 1) AS place
WITH place, $spans[place] AS span
MATCH (d:ClewDocument {id: span.document, kb: $kb})-[:HAS_CHUNK]->(c:ClewChunk)
WHERE d.sha256 STARTS WITH span.version AND c.start < span.end AND c.end > span.start
MATCH (c)-[s:STATES]->(h:ClewHyperedge)
WHERE s.start < span.end AND s.end > span.start
WITH h.id AS id, min(place) AS first
ORDER BY first, id
LIMIT $limit
RETURN id
