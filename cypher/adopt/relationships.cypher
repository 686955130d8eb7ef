// What relationships a sample of a label's nodes has, to which labels, and with which properties.
MATCH (n:$($label))
WHERE none(own IN labels(n) WHERE own STARTS WITH 'Clew')
WITH n LIMIT $sample
MATCH (n)-[r]->(other)
WITH type(r) AS type, labels(n) AS start, labels(other) AS end, count(*) AS count, collect(r)[..$sample] AS some
RETURN type, start, end, count,
       COLLECT {
         UNWIND some AS one
         UNWIND keys(one) AS property
         WITH property, one[property] AS value, valueType(one[property]) AS kind
         WHERE NOT kind =~ '(VECTOR|LIST<FLOAT|POINT).*'
         WITH property, avg(CASE WHEN kind STARTS WITH 'STRING' THEN size(value) END) AS characters
         RETURN {property: property, characters: characters} ORDER BY property
       } AS properties
ORDER BY type, start, end
