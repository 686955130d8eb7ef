UNWIND $entities AS id
MATCH (e:Entity {id: id})
SET e.stale = true
