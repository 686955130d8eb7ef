UNWIND $ids AS id
MATCH (d:ClewDocument {id: id, kb: $kb})
RETURN d.id AS id, d.sha256 AS sha256, d.recipe AS recipe, d.reading AS reading, d.status AS status, d.title AS title,
       d.title_key AS title_key
