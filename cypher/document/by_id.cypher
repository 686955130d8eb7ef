UNWIND $ids AS id
MATCH (d:ClewDocument {id: id, kb: $kb})
RETURN id, d.source AS source, d.locator AS locator, d.metadata AS metadata
