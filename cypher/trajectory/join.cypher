// Let a question belong to a conversation, which is named by the id of its first one.
MATCH (t:ClewTrajectory {id: $id, kb: $kb})
SET t.conversation = $conversation
