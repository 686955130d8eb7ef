UNWIND $ids AS id
MATCH (h:ClewHyperedge {id: id})
RETURN id, h.text AS text
