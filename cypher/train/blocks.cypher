// A page of documents with tables or pairs, in the order of their ids: their texts, and what is known of their structure.
MATCH (d:ClewDocument {kb: $kb})
WHERE d.id > $after AND d.blocks CONTAINS '"heads"'
RETURN d.id AS id, d.text AS text, d.blocks AS blocks
ORDER BY d.id LIMIT $limit
