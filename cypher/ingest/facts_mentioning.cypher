UNWIND $phrases AS phrase
CALL db.index.fulltext.queryNodes('hyperedge_words', phrase) YIELD node AS h
WITH DISTINCT h
RETURN h.id AS id, h.text AS text, h.lead AS lead, [(h)-[r:CONNECTS]->(e) WHERE r.role = 'link' | e.key] AS links
