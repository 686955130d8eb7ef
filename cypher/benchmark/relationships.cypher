UNWIND $labels AS label
CALL (label) {
  MATCH (n:$('Clew' + label) {kb: $kb})-[r]->(m)
  RETURN n.id AS start, r, m.id AS end
}
RETURN type(r) AS type, start, end, properties(r) AS properties
