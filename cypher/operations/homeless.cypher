// Names of knowledge bases that are not there, and yet have nodes.
MATCH (n:ClewDocument|ClewChunk|ClewHyperedge|ClewEntity|ClewTrajectory|ClewStep|ClewChange)
WITH n.kb AS kb, count(*) AS nodes
WHERE NOT EXISTS { (:ClewKnowledgeBase {name: kb}) }
RETURN kb, nodes
ORDER BY kb
