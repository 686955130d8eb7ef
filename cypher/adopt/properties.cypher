// What a sample of a label's nodes has as properties: how many have one, with how many values, and how long a text.
MATCH (n:$($label))
WHERE none(own IN labels(n) WHERE own STARTS WITH 'Clew')
WITH n LIMIT $sample
UNWIND keys(n) AS property
WITH property, n[property] AS value, valueType(n[property]) AS type
WHERE NOT type =~ '(VECTOR|LIST<FLOAT|POINT).*'
RETURN property, count(*) AS filled, count(DISTINCT value) AS distinct, type STARTS WITH 'STRING' AS text,
       avg(CASE WHEN type STARTS WITH 'STRING' THEN size(value) END) AS characters
ORDER BY property
