// The facts and passages that a strategy has chosen, by their ids, and the names of what it came over.
CALL () {
  UNWIND $hyperedges AS id
  MATCH (h:ClewHyperedge {id: id})
  CALL (h) {
    MATCH (d:ClewDocument)-[:HAS_CHUNK]->(c:ClewChunk)-[s:STATES]->(h)
    WHERE $only IS NULL OR d.id IN $only
    WITH d, c, s ORDER BY d.id, s.start LIMIT 3
    RETURN collect({
      document: d.id, title: d.title, pages: d.pages, start: s.start, end: s.end,
      chunk: c.id, text: c.text, chunk_start: c.start, chunk_end: c.end,
      section: c.section, blocks: c.blocks, metadata: d.metadata
    }) AS sources
  }
  RETURN id, {
    id: h.id, text: h.text, entities: [(h)-[:CONNECTS]->(e:ClewEntity) | e.name], sources: sources
  } AS row
  UNION ALL
  UNWIND $chunks AS id
  MATCH (d:ClewDocument)-[:HAS_CHUNK]->(c:ClewChunk {id: id})
  RETURN id, {
    document: d.id, title: d.title, pages: d.pages,
    chunk: c.id, text: c.text, chunk_start: c.start, chunk_end: c.end,
    section: c.section, blocks: c.blocks, metadata: d.metadata
  } AS row
  UNION ALL
  UNWIND $places AS place
  MATCH (n:$('Clew' + place.label) {id: place.id})
  RETURN n.id AS id, {name: n.name} AS row
}
RETURN id, row
