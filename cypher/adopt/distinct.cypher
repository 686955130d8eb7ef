// Whether a property tells every node with a label from the others.
MATCH (n:$($label))
WHERE none(own IN labels(n) WHERE own STARTS WITH 'Clew')
RETURN count(*) = count(DISTINCT n[$property]) AS all
