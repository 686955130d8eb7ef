UNWIND $hyperedges AS row
MERGE (h:ClewHyperedge {id: row.id})
ON CREATE SET h:Hyperedge, h.kb = $kb, h.name = row.name, h.text = row.text, h.lead = row.lead, h.key = row.key,
              h.origin = row.origin, h.time = row.time, h.negated = row.negated, h.relation = row.relation,
              h.embedding = toFloatList(row.embedding)
