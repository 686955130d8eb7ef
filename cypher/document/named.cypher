// The document whose title a text begins with, the longest first; else the only ones whose titles begin with its word.
MATCH (d:ClewDocument {kb: $kb})
WHERE d.title <> '' AND ($text STARTS WITH toLower(d.title) OR toLower(d.title) STARTS WITH $word)
RETURN DISTINCT d.title AS title, $text STARTS WITH toLower(d.title) AS whole, size(d.title) AS length
ORDER BY whole DESC, length DESC, title LIMIT 2
