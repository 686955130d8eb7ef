// The vectors of these, where they are there.
UNWIND range(0, size($ids) - 1) AS i
MATCH (n:ClewHyperedge {id: $ids[i], kb: $kb})
SET n.embedding = toFloatList($vectors[i])
