// From here on they are unfinished, and belong to who deletes them: an ingest under way leaves them alone, and one that
// begins them anew takes them over.
UNWIND $documents AS id
MATCH (d:ClewDocument {id: id, kb: $kb})
SET d.status = 'partial', d.writer = $writer
