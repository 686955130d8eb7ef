UNWIND $ids AS id
MATCH (d:Document {id: id, kb: $kb})
RETURN id, d.source AS source, d.metadata AS metadata
