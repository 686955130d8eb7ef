// Clew's nodes leave a label to another tool, at most $limit of them in a transaction.
MATCH (n:$('Clew' + $label))
WHERE n:$($label)
WITH n LIMIT $limit
REMOVE n:$($label)
RETURN count(n) AS left
