// Which labels each type of relationship goes from and to, and its properties, by a sample.
UNWIND $ends AS end
CALL (end) {
  MATCH (:$('Clew' + end.label) {kb: $kb})-[r:$(end.type)]->(n)
  LIMIT $sample
  RETURN collect(r) AS found, collect(DISTINCT head([label IN labels(n) WHERE label STARTS WITH 'Clew'])) AS ends
}
RETURN 'Clew' + end.label AS start, end.type AS type, ends,
       COLLECT {
         UNWIND found AS r
         UNWIND keys(r) AS property
         RETURN DISTINCT {property: property, type: valueType(r[property])}
       } AS properties
