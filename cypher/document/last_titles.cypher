// The titles that no other document has: they are nobody's once these documents are gone.
UNWIND $documents AS id
MATCH (d:ClewDocument {id: id, kb: $kb})
WHERE d.title_key IS NOT NULL
WITH d.title_key AS title, count(*) AS own
WHERE own = COUNT { (o:ClewDocument {kb: $kb, title_key: title}) }
RETURN title
