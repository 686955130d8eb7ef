// A page of documents with the facts that they state, without the links between pages, which any import makes again.
MATCH (d:ClewDocument)
WHERE d.kb = $kb AND d.id > $after
WITH d ORDER BY d.id LIMIT $limit
RETURN d.id AS id, d.title AS title, d.text AS text, d.source AS source, d.locator AS locator, d.metadata AS metadata,
       COLLECT {
         MATCH (d)-[:HAS_CHUNK]->(:ClewChunk)-[s:STATES]->(h:ClewHyperedge)
         RETURN {text: h.text, start: s.start, end: s.end, lead: coalesce(h.lead, 0), origin: coalesce(h.origin, ''),
                 time: coalesce(h.time, ''), negated: coalesce(h.negated, false),
                 relation: coalesce(h.relation, ''), participants: COLLECT {
           MATCH (h)-[r:CONNECTS]->(e:ClewEntity) WHERE r.role <> 'link'
           RETURN {name: r.surface, role: r.role, type: coalesce(r.type, '')} ORDER BY r.role, e.key
         }}
         ORDER BY s.start, s.end, h.text, h.origin
       } AS facts
