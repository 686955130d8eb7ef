UNWIND $ids AS id
MATCH (h:Hyperedge {id: id})
RETURN id, h.text AS text
