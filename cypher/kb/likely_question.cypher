// What a knowledge base was asked last; of one that nobody has asked, what a document's title names.
OPTIONAL CALL () {
  MATCH (t:ClewTrajectory {kb: $kb})
  RETURN t.question AS asked
  ORDER BY t.created DESC
  LIMIT 1
}
OPTIONAL CALL () {
  MATCH (d:ClewDocument {kb: $kb})
  RETURN d.title AS title
  LIMIT 1
}
RETURN coalesce(asked, 'What is ' + title + '?') AS question
