// The vectors of these, where they are there.
UNWIND range(0, size($ids) - 1) AS i
MATCH (n:ClewChunk {id: $ids[i], kb: $kb})
SET n.embedding = toFloatList($vectors[i])
