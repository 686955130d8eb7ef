// Whether there are documents besides these; their facts may have been linked before the titles of these came.
MATCH (d:ClewDocument {kb: $kb})
WHERE d.status <> 'partial' AND NOT d.id IN $documents
RETURN d.id AS id LIMIT 1
