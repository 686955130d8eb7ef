MATCH (t:ClewTrajectory {id: $id, kb: $kb})
RETURN coalesce(t.conversation, t.id) AS id
