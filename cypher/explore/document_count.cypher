// How many documents have the text in their title.
MATCH (d:ClewDocument {kb: $kb})
WHERE $text = '' OR toLower(d.title) CONTAINS toLower($text)
RETURN count(d) AS documents
