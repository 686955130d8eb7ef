UNWIND $ids AS id
MATCH (:ClewEntity {kb: $kb})-[r:SAME_AS|DIFFERENT_FROM|MAYBE_SAME_AS]->()
WHERE elementId(r) = id
DELETE r
