// Vectors of chunks as float32, which is half of what a list of floats weighs on the way.
UNWIND $ids AS id
MATCH (c:ClewChunk {id: id, kb: $kb})
RETURN id, vector(c.embedding, size(c.embedding), FLOAT32) AS embedding
