// Vectors of hyperedges as float32, which is half of what a list of floats weighs on the way.
UNWIND $ids AS id
MATCH (h:Hyperedge {id: id})
RETURN id, vector(h.embedding, $dimensions, FLOAT32) AS embedding
