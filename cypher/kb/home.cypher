// How many documents there are of each format, and how many came in on the last days on which some did.
RETURN COLLECT {
         MATCH (d:ClewDocument {kb: $kb})
         WITH d.media_type AS kind, count(*) AS documents ORDER BY documents DESC, kind
         RETURN {kind: kind, documents: documents}
       } AS kinds,
       COLLECT {
         MATCH (d:ClewDocument {kb: $kb})
         WHERE d.at IS NOT NULL
         WITH date(d.at) AS day, count(*) AS documents ORDER BY day DESC LIMIT 4
         RETURN {day: day, documents: documents}
       } AS days
