// What other versions of these documents have tied to facts: of a fact that is written again, who takes part in it is
// stated anew. One that a document of this reading and recipe states elsewhere keeps what that one has tied.
UNWIND $hyperedges AS id
MATCH (h:ClewHyperedge {id: id})
WHERE NOT EXISTS {
  MATCH (h)<-[:STATES]-(:ClewChunk)<-[:HAS_CHUNK]-(d:ClewDocument)
  WHERE d.reading = $reading AND d.recipe = $recipe
}
MATCH (h)-[r:CONNECTS]->(e:ClewEntity)
DELETE r
SET e.stale = true
RETURN DISTINCT e.id AS entity
