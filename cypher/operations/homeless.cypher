// Names of knowledge bases that are not there, and yet have nodes.
MATCH (n:Document|Chunk|Hyperedge|Entity|Trajectory|Step|Change)
WITH n.kb AS kb, count(*) AS nodes
WHERE NOT EXISTS { (:KnowledgeBase {name: kb}) }
RETURN kb, nodes
ORDER BY kb
