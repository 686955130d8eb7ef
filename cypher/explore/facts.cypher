// Hyperedges as a list shows them: who takes part, and the first place that states each.
UNWIND $ids AS id
MATCH (h:ClewHyperedge {id: id, kb: $kb})
RETURN id, h.text AS text, coalesce(h.lead, 0) AS lead,
       COLLECT {
         MATCH (h)-[r:CONNECTS]->(e:ClewEntity)
         RETURN {id: e.id, name: e.name, role: r.role} ORDER BY r.role = 'subject' DESC, e.degree DESC, e.id
       } AS participants,
       COLLECT {
         MATCH (d:ClewDocument)-[:HAS_CHUNK]->(c:ClewChunk)-[s:STATES]->(h)
         RETURN {document: d.id, title: d.title, chunk: c.id, start: s.start, end: s.end}
         ORDER BY d.title, d.id, s.start LIMIT 3
       } AS sources
