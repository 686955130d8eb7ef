UNWIND $documents AS id
MATCH (d:ClewDocument {id: id, writer: $writer})
RETURN d.id AS id
