UNWIND $hyperedges AS row
MERGE (h:Hyperedge {id: row.id})
ON CREATE SET h.kb = $kb, h.name = row.name, h.text = row.text, h.lead = row.lead, h.key = row.key,
              h.embedding = toFloatList(row.embedding)
