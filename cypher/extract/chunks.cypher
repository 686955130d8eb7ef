UNWIND $ids AS id
MATCH (d:Document)-[:HAS_CHUNK]->(c:Chunk {id: id})
RETURN d {.id, .kb, .title, .source, .text, .sha256} AS document,
       c {.id, .index, .text, .start, .end} AS chunk
