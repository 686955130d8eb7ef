UNWIND $ids AS id
MATCH (h:ClewHyperedge {id: id})
RETURN h.id AS id, h.text AS text, h.lead AS lead,
       [(h)-[r:CONNECTS]->(e) WHERE r.role = 'link' | [e.key, r.surface]] AS links
