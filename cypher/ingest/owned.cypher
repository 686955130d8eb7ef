UNWIND $documents AS id
MATCH (d:Document {id: id, writer: $writer})
RETURN d.id AS id
