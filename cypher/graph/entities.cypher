UNWIND $ids AS id
MATCH (e:ClewEntity {id: id})
RETURN id, e.key AS key
