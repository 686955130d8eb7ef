// Trajectory: from a question over each turn and the facts it found to the passages that the answer cites.
// Parameters, each of which may be null: kb, trajectory (id or question)
WITH $kb AS kb, $trajectory AS trajectory
MATCH (k:ClewKnowledgeBase) WHERE kb IS NULL OR k.name = kb
WITH k, trajectory ORDER BY k.name LIMIT 1
MATCH (t:ClewTrajectory {kb: k.name})
WHERE trajectory IS NULL OR trajectory IN [t.id, t.question]
WITH t ORDER BY t.created DESC LIMIT 1
MATCH turn = (t)-[:STEP]->(s:ClewStep)
OPTIONAL MATCH found = (s)-[:RETRIEVED]->(h:ClewHyperedge)
OPTIONAL MATCH stated = (h)<-[:STATES]-(c:ClewChunk)<-[:CITES]-(t)
OPTIONAL MATCH source = (c)<-[:HAS_CHUNK]-(:ClewDocument)
RETURN turn, found, stated, source
