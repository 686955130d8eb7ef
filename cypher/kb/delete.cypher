MATCH (k:KnowledgeBase {name: $kb}) DETACH DELETE k RETURN count(*) AS deleted
