// The next ingest of their sources writes these again.
UNWIND $ids AS id
MATCH (d:ClewDocument {id: id, kb: $kb})
SET d.status = 'partial'
