// The default knowledge base, those that were asked last, latest first, and those that never were.
MATCH (k:ClewKnowledgeBase)
OPTIONAL CALL (k) {
  MATCH (t:ClewTrajectory {kb: k.name})
  RETURN t.created AS asked
  ORDER BY asked DESC
  LIMIT 1
}
RETURN k.name AS name
ORDER BY name <> $default, asked IS NULL, asked DESC, name
LIMIT $limit
