// The first question of a conversation keeps its name.
MATCH (t:ClewTrajectory {kb: $kb})
WHERE coalesce(t.conversation, t.id) = $id
WITH t ORDER BY t.created, t.id LIMIT 1
SET t.named = $name
