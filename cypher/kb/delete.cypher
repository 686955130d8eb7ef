// Only once it is empty; the lock keeps writers out meanwhile.
MATCH (k:KnowledgeBase {name: $kb})
SET k.lock = true
REMOVE k.lock
WITH k
WHERE k.restoring IS NULL
  AND NOT EXISTS { (:Document {kb: $kb}) }
  AND NOT EXISTS { (:Chunk {kb: $kb}) }
  AND NOT EXISTS { (:Hyperedge {kb: $kb}) }
  AND NOT EXISTS { (:Entity {kb: $kb}) }
  AND NOT EXISTS { (:Trajectory {kb: $kb}) }
  AND NOT EXISTS { (:Step {kb: $kb}) }
CALL (k) {
  MATCH (k)-[:CHANGED]->(c:Change)
  DETACH DELETE c
}
DELETE k
RETURN count(*) AS deleted
