// One page of facts in the order of their ids: text, who takes part and how, and the documents that state them.
MATCH (h:ClewHyperedge {kb: $kb})
WHERE h.id > $after
WITH h ORDER BY h.id LIMIT $limit
RETURN h.id AS id, h.text AS text, coalesce(h.lead, 0) AS lead,
       COLLECT {
         MATCH (h)-[r:CONNECTS]->(e:ClewEntity)
         RETURN {id: e.id, name: e.name, role: r.role, surface: r.surface} ORDER BY e.id
       } AS entities,
       COLLECT {
         MATCH (d:ClewDocument)-[:HAS_CHUNK]->(:ClewChunk)-[s:STATES]->(h)
         RETURN {document: d.id, title: d.title, start: s.start} ORDER BY d.id, s.start
       } AS sources
