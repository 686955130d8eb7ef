// Nodes with their properties and relationships of some types, each with its properties; vectors stay where they are.
UNWIND $ids AS id
MATCH (n) WHERE elementId(n) = id
RETURN id, labels(n) AS labels,
       [key IN keys(n) WHERE NOT valueType(n[key]) =~ '(VECTOR|LIST<FLOAT).*' | [key, n[key]]] AS properties,
       COLLECT {
         MATCH (n)-[r]-(other)
         WHERE ($types IS NULL OR type(r) IN $types) AND ($both OR startNode(r) = n)
         RETURN {type: type(r), id: elementId(r), other: elementId(other), properties:
                 [key IN keys(r) WHERE NOT valueType(r[key]) =~ '(VECTOR|LIST<FLOAT).*' | [key, r[key]]]}
         ORDER BY type(r), elementId(r)
       } AS relationships
