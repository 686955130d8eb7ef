// Entities whose degree, or whether they are a page, is not what it says.
MATCH (n:ClewEntity {kb: $kb})
WHERE n.stale IS NULL AND (
  n.degree IS NULL OR n.degree <> COUNT { (n)<-[:CONNECTS]-() }
  OR n.page IS NULL OR n.page <> EXISTS { MATCH (:ClewDocument {kb: $kb, title_key: n.key}) }
)
RETURN n.id AS id LIMIT $limit
