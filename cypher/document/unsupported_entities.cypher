// The entities whose facts are all among these hyperedges (whole), or all but the links that other sentences have to
// them: those links go where the entity's name is the title of no page any more.
UNWIND $hyperedges AS id
MATCH (:ClewHyperedge {id: id})-[r:CONNECTS]->(e:ClewEntity)
WITH e, count(r) AS going, count(CASE WHEN r.role <> 'link' THEN 1 END) AS worded
WITH e, going = COUNT { (:ClewHyperedge)-[:CONNECTS]->(e) } AS whole, worded
WHERE whole OR worded = COUNT { (:ClewHyperedge)-[r:CONNECTS]->(e) WHERE r.role <> 'link' }
RETURN e.name AS name, e.key AS key, whole
ORDER BY e.degree DESC, name
