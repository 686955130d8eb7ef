// The properties of each label and what they hold, by a sample of its nodes; without vectors.
UNWIND $labels AS label
CALL (label) {
  MATCH (n:$('Clew' + label) {kb: $kb})
  LIMIT $sample
  UNWIND [property IN keys(n) WHERE NOT property STARTS WITH 'embedding'] AS property
  RETURN collect(DISTINCT {property: property, type: valueType(n[property])}) AS properties
}
RETURN 'Clew' + label AS label, properties
