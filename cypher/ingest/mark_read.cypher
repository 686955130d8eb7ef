// Documents that today's readers read as they are in the graph.
UNWIND $ids AS id
MATCH (d:ClewDocument {id: id, kb: $kb})
SET d.reading = $reading
