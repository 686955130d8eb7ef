UNWIND $labels AS label
CALL (label) {
  MATCH (n:$('Clew' + label) {kb: $kb})
  RETURN n
}
RETURN label, n.id AS id, n {.*, embedding: size(n.embedding), at: null} AS properties
