// Copies of hyperedges' vectors under a label of their own, so that indexes can be tried on them.
UNWIND $rows AS row
CREATE (:IndexTrial {id: row.id, kb: $kb, embedding: toFloatList(row.embedding)})
