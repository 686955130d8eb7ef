// Only once it is empty; the lock keeps writers out meanwhile.
MATCH (k:ClewKnowledgeBase {name: $kb})
SET k.lock = true
REMOVE k.lock
WITH k
WHERE k.restoring IS NULL
  AND NOT EXISTS { (:ClewDocument {kb: $kb}) }
  AND NOT EXISTS { (:ClewChunk {kb: $kb}) }
  AND NOT EXISTS { (:ClewHyperedge {kb: $kb}) }
  AND NOT EXISTS { (:ClewEntity {kb: $kb}) }
  AND NOT EXISTS { (:ClewTrajectory {kb: $kb}) }
  AND NOT EXISTS { (:ClewStep {kb: $kb}) }
CALL (k) {
  MATCH (k)-[:CHANGED]->(c:ClewChange)
  DETACH DELETE c
}
DELETE k
RETURN count(*) AS deleted
