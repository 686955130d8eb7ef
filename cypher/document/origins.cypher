// Where some documents come from.
UNWIND $ids AS id
MATCH (d:ClewDocument {id: id, kb: $kb})
RETURN d.id AS id, d.source AS source
