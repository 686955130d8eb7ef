// A hyperedge with all who take part, every place that states it with the text around, and the turns that found it.
MATCH (h:ClewHyperedge {id: $id, kb: $kb})
RETURN h.id AS id, h.text AS text, coalesce(h.lead, 0) AS lead, h.origin AS origin, h.time AS time,
       coalesce(h.negated, false) AS negated,
       COLLECT {
         MATCH (h)-[r:CONNECTS]->(e:ClewEntity)
         RETURN {id: e.id, name: e.name, role: r.role, surface: r.surface, type: e.type,
                 degree: coalesce(e.degree, COUNT { (e)<-[:CONNECTS]-() })}
         ORDER BY r.role, e.degree DESC, e.id
       } AS participants,
       COLLECT {
         MATCH (d:ClewDocument)-[:HAS_CHUNK]->(:ClewChunk)-[s:STATES]->(h)
         WITH d, s, CASE WHEN s.start > $around THEN s.start - $around ELSE 0 END AS first
         RETURN {document: d.id, title: d.title, pages: d.pages, start: s.start, end: s.end, first: first,
                 text: substring(d.text, first, s.end + $around - first)}
         ORDER BY d.title, d.id, s.start LIMIT $limit
       } AS sources,
       COLLECT {
         MATCH (t:ClewTrajectory)-[at:STEP]->(:ClewStep)-[found:RETRIEVED]->(h)
         WITH t, min(at.index) AS turn, min(found.rank) AS rank
         RETURN {id: t.id, question: t.question, turn: turn + 1, rank: rank} ORDER BY t.created DESC LIMIT $limit
       } AS trajectories
