// Which of some quotes no longer stand in their documents.
UNWIND range(0, size($quotes) - 1) AS i
OPTIONAL MATCH (d:ClewDocument {id: $quotes[i].document, kb: $kb})
WITH i, d
WHERE d IS NULL OR NOT d.text CONTAINS $quotes[i].quote
RETURN i
