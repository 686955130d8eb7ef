// A page of the trajectories that pass the filters, newest first, and how many there are.
MATCH (t:ClewTrajectory {kb: $kb})
WHERE ($text = '' OR toLower(t.question) CONTAINS $text OR toLower(t.answer) CONTAINS $text
       OR toLower(coalesce(t.comment, '')) CONTAINS $text)
  AND ($policy IS NULL OR t.policy = $policy)
  AND ($strategy IS NULL OR t.strategy = $strategy)
  AND ($answered IS NULL OR t.answered = $answered)
  AND ($origin IS NULL OR coalesce(t.origin, 'chat') = $origin)
  AND ($verdict IS NULL OR t.verdict = $verdict)
  AND ($rating IS NULL OR coalesce(t.rating, 0) = $rating)
WITH t ORDER BY t.created DESC, t.id
WITH collect(t) AS found
RETURN size(found) AS total,
       [t IN found[$skip..$skip + $limit] | t {
         .id, .question, .answer, .answered, .policy, .strategy, .seconds, .stopped, .comment,
         created: toString(t.created), origin: coalesce(t.origin, 'chat'), rating: coalesce(t.rating, 0),
         verdict: CASE WHEN t.verdict_reason <> '' THEN t.verdict END,
         turns: COUNT { (t)-[:STEP]->() }
       }] AS rows
