// Vectors of hyperedges as float32, which is half of what a list of floats weighs on the way.
UNWIND $ids AS id
MATCH (h:ClewHyperedge {id: id, kb: $kb})
RETURN id, vector(h.embedding, size(h.embedding), FLOAT32) AS embedding
