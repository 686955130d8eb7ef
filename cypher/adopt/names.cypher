// Every node with a label that is not Clew's own, with what names it and tells it apart.
MATCH (n:$($label))
WHERE none(own IN labels(n) WHERE own STARTS WITH 'Clew')
RETURN elementId(n) AS id, n[$name] AS name, n[$key] AS key, n[$distinguish_by] AS distinguish_by
ORDER BY id
