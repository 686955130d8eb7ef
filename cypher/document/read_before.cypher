// Documents that readers before number $reading have read, by that number; the first two did not leave one.
MATCH (d:ClewDocument {kb: $kb})
WITH d.title AS title, coalesce(d.reading, CASE WHEN d.blocks IS NULL THEN 0 ELSE 1 END) AS reading
WHERE reading < $reading
RETURN reading, count(title) AS documents, collect(title)[..$shown] AS titles
ORDER BY reading
