// Which of these entities are some page's title.
UNWIND $ids AS id
MATCH (e:ClewEntity {id: id})
WHERE EXISTS { (:ClewDocument {kb: $kb, title_key: e.key}) }
RETURN e.id AS id
