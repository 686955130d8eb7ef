UNWIND range(0, size($spans) - 1) AS i
MATCH (d:ClewDocument {id: $spans[i].document, kb: $kb})
RETURN i, substring(d.text, $spans[i].start, $spans[i].end - $spans[i].start) AS text, d.pages AS pages
ORDER BY i
