// The hash makes sure that it is still the version whose sentences were linked.
UNWIND $documents AS row
MATCH (d:ClewDocument {id: row.id, sha256: row.sha256})
WHERE d.status = 'unlinked'
SET d.status = 'ready'
