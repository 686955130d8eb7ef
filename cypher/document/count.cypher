// How many documents hold a text in their title, source or metadata.
MATCH (d:ClewDocument {kb: $kb})
WHERE toLower(d.title + '\n' + d.source + '\n' + coalesce(d.metadata, '')) CONTAINS $text
RETURN count(d) AS count
