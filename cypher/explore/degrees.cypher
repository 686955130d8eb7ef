// How many entities there are of each degree, by the index; those that are being brought in have none yet.
CALL () {
  MATCH (e:ClewEntity {kb: $kb})
  WHERE e.degree > 0
  RETURN e.degree AS degree, count(*) AS some
  UNION ALL
  MATCH (e:ClewEntity {kb: $kb, stale: true})
  WHERE e.degree IS NULL
  WITH COUNT { (e)<-[:CONNECTS]-() } AS degree
  WHERE degree > 0
  RETURN degree, count(*) AS some
}
RETURN degree, sum(some) AS entities
ORDER BY degree
