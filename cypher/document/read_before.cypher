// Documents that readers before number $reading have read ($of_others but for workbooks), by that number; the first two
// did not leave one.
MATCH (d:ClewDocument {kb: $kb})
WITH d.title AS title, CASE d.media_type WHEN $workbook THEN $reading ELSE $of_others END AS newest,
     coalesce(d.reading, CASE WHEN d.blocks IS NULL THEN 0 ELSE 1 END) AS reading
WHERE reading < newest
RETURN reading, count(title) AS documents, collect(title)[..$shown] AS titles
ORDER BY reading
