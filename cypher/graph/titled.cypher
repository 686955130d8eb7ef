// Which of these entities are some page's title.
UNWIND $ids AS id
MATCH (e:Entity {id: id})
WHERE EXISTS { (:Document {kb: $kb, title_key: e.key}) }
RETURN e.id AS id
