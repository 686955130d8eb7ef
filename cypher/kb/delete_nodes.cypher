MATCH (n:$('Clew' + $label) {kb: $kb})
WITH n LIMIT $limit
DETACH DELETE n
RETURN count(*) AS deleted
