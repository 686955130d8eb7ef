// How many documents have the text in their title.
MATCH (d:Document {kb: $kb})
WHERE $text = '' OR toLower(d.title) CONTAINS toLower($text)
RETURN count(d) AS documents
