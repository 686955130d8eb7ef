// Keep the questions that a knowledge base answers surely, with the version that they were tried on.
MATCH (k:ClewKnowledgeBase {name: $kb})
SET k.suggested = $questions, k.suggested_at = $version
