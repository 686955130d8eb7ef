// What a knowledge base says of itself, and the questions that it answers surely.
MATCH (k:ClewKnowledgeBase {name: $kb})
RETURN coalesce(k.description, '') AS description, coalesce(k.hidden, false) AS hidden,
       coalesce(k.suggested, []) AS suggested, coalesce(k.suggested_at, '') AS suggested_at
