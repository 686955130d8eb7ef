// The trajectories of a conversation that ask one of some questions ($questions), the latest last.
MATCH (t:ClewTrajectory {kb: $kb})
WHERE coalesce(t.conversation, t.id) = $id AND t.question IN $questions
RETURN t.id AS id ORDER BY t.created, id
