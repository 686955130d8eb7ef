// What is null stays as it is.
MATCH (k:ClewKnowledgeBase {name: $kb})
SET k.description = coalesce($description, k.description), k.hidden = coalesce($hidden, k.hidden)
RETURN k.name AS name
