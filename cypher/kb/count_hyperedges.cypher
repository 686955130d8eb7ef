MATCH (h:Hyperedge {kb: $kb}) RETURN count(h) AS count
