// Those of these documents that have more chunks than $limit.
UNWIND $documents AS id
MATCH (d:ClewDocument {id: id, kb: $kb})
WHERE COUNT { (d)-[:HAS_CHUNK]->() } > $limit
RETURN d.id AS id
