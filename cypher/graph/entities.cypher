UNWIND $ids AS id
MATCH (e:Entity {id: id})
RETURN id, e.key AS key
