UNWIND $ids AS id
MATCH (:Entity {kb: $kb})-[r:SAME_AS|DIFFERENT_FROM|MAYBE_SAME_AS]->()
WHERE elementId(r) = id
DELETE r
