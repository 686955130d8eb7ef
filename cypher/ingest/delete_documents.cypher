// Those of these documents that have no chunk left.
UNWIND $documents AS id
MATCH (d:ClewDocument {id: id, kb: $kb})
WHERE NOT EXISTS { (d)-[:HAS_CHUNK]->() }
WITH d, d.title_key AS title_key
DETACH DELETE d
RETURN title_key
