UNWIND $ends AS end
CALL (end) {
  MATCH (:$('Clew' + end.label) {kb: $kb})-[r:$(end.type)]->()
  RETURN count(r) AS count
}
RETURN end.type AS type, count
