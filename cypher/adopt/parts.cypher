// The texts of nodes that hold a document in pieces.
UNWIND $ids AS id
MATCH (n) WHERE elementId(n) = id
RETURN id, COLLECT {
  MATCH (n)-[:$($relationship)]-(part:$($label))
  WITH DISTINCT part
  WHERE part[$text] IS NOT NULL
  RETURN part[$text] ORDER BY part[$order], elementId(part)
} AS texts
