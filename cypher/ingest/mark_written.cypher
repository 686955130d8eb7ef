UNWIND $documents AS id
MATCH (d:Document {id: id})
SET d.status = 'unlinked'
REMOVE d.writer
