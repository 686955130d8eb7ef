// The graph of examples/movies.py, which has nothing to do with Clew's own: films, people, and what they did there.
UNWIND $rows AS row
MERGE (m:Movie {title: row.title})
SET m.released = row.released
WITH row, m
UNWIND row.people AS one
MERGE (p:Person {name: one.name})
SET p.born = one.born
MERGE (p)-[r:$(one.did)]->(m)
SET r += one.properties
