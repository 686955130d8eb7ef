// An entity is named by its commonest spelling, and its type is what stands with that, whatever the order in which they
// came; of an amount and a year that are written alike the year. Setting a property first takes the lock, so that a fact
// that arrives meanwhile marks the entity once more.
UNWIND $ids AS id
MATCH (e:ClewEntity {id: id})
SET e.stale = true
WITH e
CALL (e) {
  MATCH (:ClewHyperedge)-[r:CONNECTS]->(e)
  WITH r.surface AS surface, count(*) AS times, max(r.type) AS type
  ORDER BY times DESC, surface
  RETURN collect(surface) AS surfaces, sum(times) AS degree, head(collect(type)) AS type
}
SET e.type = coalesce(type, 'name'),
    e.name = surfaces[0], e.aliases = surfaces[1..20], e.degree = degree,
    e.page = EXISTS { MATCH (:ClewDocument {kb: e.kb, title_key: e.key}) }
REMOVE e.stale
