// Entities whose degree, or whether they are a page, is not what it says.
MATCH (n:Entity {kb: $kb})
WHERE n.stale IS NULL AND (
  n.degree IS NULL OR n.degree <> COUNT { (n)<-[:CONNECTS]-() }
  OR n.page IS NULL OR n.page <> EXISTS { MATCH (:Document {kb: $kb, title_key: n.key}) }
)
RETURN n.id AS id LIMIT $limit
