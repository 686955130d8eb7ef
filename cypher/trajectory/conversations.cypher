// The conversations, the latest first: questions that followed each other, under the id of the first of them.
MATCH (t:ClewTrajectory {kb: $kb})
WHERE coalesce(t.origin, 'chat') = 'chat'
WITH t ORDER BY t.created DESC, t.id
WITH coalesce(t.conversation, t.id) AS id, collect(t) AS asked
WITH id, asked, coalesce(asked[-1].named, asked[-1].question) AS title
WHERE $text = '' OR toLower(title) CONTAINS $text
   OR any(t IN asked WHERE toLower(t.question) CONTAINS $text OR toLower(t.answer) CONTAINS $text)
RETURN id, title, asked[0].id AS last, size(asked) AS questions, asked[0].created AS at
ORDER BY at DESC, id LIMIT $limit
