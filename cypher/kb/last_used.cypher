// The knowledge bases that were asked last, latest first and then those that never were, with the last question.
MATCH (k:KnowledgeBase)
OPTIONAL CALL (k) {
  MATCH (t:Trajectory {kb: k.name})
  RETURN t.question AS question, t.created AS asked
  ORDER BY asked DESC
  LIMIT 1
}
RETURN k.name AS name, coalesce(question, '') AS question
ORDER BY asked IS NULL, asked DESC, name
LIMIT $limit
