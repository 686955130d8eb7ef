// A page of facts with who takes part in them, and where they are stated.
MATCH (h:ClewHyperedge)
WHERE h.kb = $kb AND h.id > $after
WITH h ORDER BY h.id LIMIT $limit
RETURN h.id AS id, h.text AS text, coalesce(h.origin, '') AS origin, coalesce(h.time, '') AS time,
       coalesce(h.negated, false) AS negated, coalesce(h.relation, '') AS relation,
       COLLECT {
         MATCH (h)-[r:CONNECTS]->(e:ClewEntity)
         RETURN {id: e.id, name: e.name, type: coalesce(e.type, ''), role: r.role}
         ORDER BY r.role <> 'subject', r.role, e.key
       } AS participants,
       COLLECT {
         MATCH (d:ClewDocument)-[:HAS_CHUNK]->(:ClewChunk)-[s:STATES]->(h)
         RETURN {document: d.id, title: d.title, start: s.start, end: s.end} ORDER BY d.id, s.start
       } AS sources
