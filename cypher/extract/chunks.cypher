UNWIND $ids AS id
MATCH (d:ClewDocument)-[:HAS_CHUNK]->(c:ClewChunk {id: id})
RETURN d {.id, .kb, .title, .source, .text, .sha256} AS document,
       c {.id, .index, .text, .start, .end} AS chunk
