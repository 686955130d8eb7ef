// An entity is named by its commonest spelling, whatever the order in which the spellings came. Setting a property
// first takes the lock, so that a fact that arrives meanwhile marks the entity once more.
UNWIND $ids AS id
MATCH (e:Entity {id: id})
SET e.stale = true
WITH e
CALL (e) {
  MATCH (:Hyperedge)-[r:CONNECTS]->(e)
  WITH r.surface AS surface, count(*) AS times
  ORDER BY times DESC, surface
  RETURN collect(surface) AS surfaces, sum(times) AS degree
}
SET e.name = surfaces[0], e.aliases = surfaces[1..20], e.degree = degree,
    e.page = EXISTS { MATCH (:Document {kb: e.kb, title_key: e.key}) }
REMOVE e.stale
