// How many documents are being written, or were left so by an ingest that was cut off.
MATCH (d:ClewDocument {kb: $kb})
WHERE d.status IN ['partial', 'unlinked']
RETURN count(d) AS documents
