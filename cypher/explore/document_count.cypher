// How many documents have the text in their title or source.
MATCH (d:ClewDocument {kb: $kb})
WHERE $text = '' OR toLower(d.title + '\n' + d.source) CONTAINS toLower($text)
RETURN count(d) AS documents
