// An entity, the roles it plays, and the documents named after it.
MATCH (e:ClewEntity {id: $id, kb: $kb})
RETURN e.id AS id, e.name AS name, e.type AS type, coalesce(e.degree, COUNT { (e)<-[:CONNECTS]-() }) AS degree,
       e.aliases AS aliases,
       COLLECT {
         MATCH (:ClewHyperedge)-[r:CONNECTS]->(e)
         WITH r.role AS role, count(*) AS facts
         RETURN {role: role, facts: facts} ORDER BY facts DESC, role
       } AS roles,
       COLLECT {
         MATCH (d:ClewDocument {kb: $kb, title_key: e.key})
         RETURN {id: d.id, title: d.title} ORDER BY d.id LIMIT 5
       } AS pages
