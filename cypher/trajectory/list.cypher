MATCH (t:Trajectory {kb: $kb})
RETURN t.id AS id, t.question AS question, t.answer AS answer, t.answered AS answered, t.policy AS policy,
       t.strategy AS strategy, t.seconds AS seconds, toString(t.created) AS created
ORDER BY t.created DESC
LIMIT $limit
