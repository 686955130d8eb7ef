MATCH (t:ClewTrajectory {kb: $kb})
RETURN t.policy AS policy, t.strategy AS strategy, coalesce(t.origin, 'chat') AS origin, count(*) AS count
ORDER BY count DESC, policy, strategy
