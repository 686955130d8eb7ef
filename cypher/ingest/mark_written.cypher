UNWIND $documents AS id
MATCH (d:ClewDocument {id: id})
SET d.status = 'unlinked'
REMOVE d.writer
