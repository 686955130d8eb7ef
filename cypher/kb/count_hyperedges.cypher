MATCH (h:ClewHyperedge {kb: $kb}) RETURN count(h) AS count
