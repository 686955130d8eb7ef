MATCH (n:IndexTrial) WITH n LIMIT $limit DELETE n RETURN count(*) AS deleted
