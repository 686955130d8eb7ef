UNWIND $labels AS label
CALL (label) {
  MATCH (n:$('Clew' + label) {kb: $kb})
  RETURN count(n) AS count
}
RETURN label, count
