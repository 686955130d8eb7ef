UNWIND $entities AS id
MATCH (e:ClewEntity {id: id})
SET e.stale = true
