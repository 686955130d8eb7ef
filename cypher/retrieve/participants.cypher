// The texts of hyperedges, and how each of their entities is written in them.
UNWIND $ids AS id
MATCH (h:ClewHyperedge {id: id})
RETURN id, h.text AS text,
       COLLECT { MATCH (h)-[r:CONNECTS]->(e:ClewEntity) RETURN [e.id, e.name, r.surface] ORDER BY e.id } AS participants
