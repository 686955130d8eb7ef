UNWIND $entities AS row
MERGE (e:ClewEntity {id: row.id})
ON CREATE SET e:Entity, e.kb = $kb, e.name = row.name, e.key = row.key, e.type = row.type,
              e.embedding = toFloatList(row.embedding)
SET e.stale = true
