MATCH (t:ClewTrajectory {id: $id, kb: $kb})
RETURN t {.id, .kb, .question, .answer, .answered, .policy, .strategy, .seconds, .stopped, .verdict_reason, .probability, .citations,
          .filter, .history, .unsupported,
          verdict: CASE WHEN t.verdict = 'found' AND t.answered THEN 'unsupported'
                        WHEN t.verdict = 'probable' AND t.stopped = 'guess' THEN 'guess'
                        WHEN t.stopped = 'stopped' AND NOT t.answered THEN 'stopped'
                        ELSE t.verdict END,
          .rewards, .tokens, .usage_calls, .usage_prompt_tokens, .usage_completion_tokens, .usage_cost,
          answers: coalesce(t.answers, []), origin: coalesce(t.origin, 'chat'), rating: coalesce(t.rating, 0),
          comment: coalesce(t.comment, ''), created: toString(t.created)} AS trajectory,
       COLLECT {
         MATCH (t)-[at:STEP]->(s:ClewStep)
         ORDER BY at.index
         RETURN s {.thought, .query, .note, .seconds, .raw, .retrieved, .scores, .ways,
                   passages: coalesce(s.passages, []), passage_scores: coalesce(s.passage_scores, []), facts: COLLECT {
           MATCH (s)-[found:RETRIEVED]->(h:ClewHyperedge)
           ORDER BY found.rank
           RETURN {id: h.id, text: h.text, score: found.score, path: found.path,
                   entities: [(h)-[:CONNECTS]->(e:ClewEntity) | e.name]}
         }}
       } AS steps
