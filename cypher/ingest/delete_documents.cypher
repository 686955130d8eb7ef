UNWIND $documents AS id
MATCH (d:Document {id: id, kb: $kb})
WITH d, d.title_key AS title_key
DETACH DELETE d
RETURN title_key
