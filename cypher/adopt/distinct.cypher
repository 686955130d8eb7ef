// Whether a property tells every node with a label from the others.
MATCH (n:$($label))
WHERE n.kb IS NULL OR none(own IN $own WHERE own IN labels(n))
RETURN count(*) = count(DISTINCT n[$property]) AS all
