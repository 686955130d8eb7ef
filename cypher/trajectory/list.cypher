// A page of the trajectories that pass the filters, in one of several orders, and how many there are.
// The first verdicts had three kinds fewer: what is said of those follows from the rest.
MATCH (t:ClewTrajectory {kb: $kb})
WITH t, CASE WHEN t.verdict = 'found' AND t.answered THEN 'unsupported'
              WHEN t.verdict = 'probable' AND t.stopped = 'guess' THEN 'guess'
              WHEN t.stopped = 'stopped' AND NOT t.answered THEN 'stopped'
              ELSE t.verdict END AS verdict
WHERE ($text = '' OR toLower(t.question) CONTAINS $text OR toLower(t.answer) CONTAINS $text
       OR toLower(coalesce(t.comment, '')) CONTAINS $text)
  AND ($policy IS NULL OR t.policy = $policy)
  AND ($strategy IS NULL OR t.strategy = $strategy)
  AND ($answered IS NULL OR t.answered = $answered)
  AND ($origin IS NULL OR coalesce(t.origin, 'chat') = $origin)
  AND ($verdict IS NULL OR verdict = $verdict)
  AND ($rating IS NULL OR coalesce(t.rating, 0) = $rating)
WITH t, verdict, CASE $order WHEN 'slowest' THEN t.seconds WHEN 'dearest' THEN coalesce(t.usage_cost, 0)
                             WHEN 'best' THEN coalesce(t.score, -1e9) WHEN 'worst' THEN -coalesce(t.score, 1e9)
                             ELSE 0 END AS by
ORDER BY by DESC, t.created DESC, t.id
WITH collect({node: t, verdict: verdict}) AS found
RETURN size(found) AS total,
       [one IN found[$skip..$skip + $limit] | head([t IN [one.node] | t {
         .id, .question, .answer, .answered, .policy, .strategy, .seconds, .stopped, .comment, .score, .citations,
         cost: coalesce(t.usage_cost, 0.0),
         created: toString(t.created), origin: coalesce(t.origin, 'chat'), rating: coalesce(t.rating, 0),
         verdict: CASE WHEN t.verdict_reason <> '' THEN one.verdict END,
         turns: COUNT { (t)-[:STEP]->() }
       }])] AS rows
